// Where worksheets are kept: files of the folder that is served, or downloads where there is no server. What has not been saved is kept by
// the browser, and offered again.

import { download } from "../dom.ts";

export type Opened = { text: string; version: string | null };

export type Saved = { version: string } | { conflict: Opened } | { error: string };

export interface Store {
  // Whether texts can be written where they came from.
  readonly isDisk: boolean;
  list(): Promise<string[]>;
  open(path: string): Promise<Opened>;
  save(path: string, text: string, seen: string | null): Promise<Saved>;
}

export class ServerStore implements Store {
  readonly isDisk = true;

  private async get(address: string): Promise<Record<string, unknown>> {
    const response = await fetch(address);
    const found = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(String(found["error"]));
    return found;
  }

  async list(): Promise<string[]> {
    return (await this.get("api/files"))["files"] as string[];
  }

  async open(path: string): Promise<Opened> {
    return (await this.get(`api/file?path=${encodeURIComponent(path)}`)) as Opened;
  }

  async save(path: string, text: string, seen: string | null): Promise<Saved> {
    try {
      const response = await fetch("api/save", { method: "POST", body: JSON.stringify({ path, text, seen }) });
      const said = (await response.json()) as { error?: string; text?: string; version?: string | null };
      if (response.ok) return { version: said.version! };
      if (response.status === 409) return { conflict: { text: said.text!, version: said.version ?? null } };
      return { error: said.error ?? response.statusText };
    } catch {
      return { error: "the program does not answer; your text is kept by the browser" };
    }
  }
}

export class DownloadStore implements Store {
  readonly isDisk = false;

  async list(): Promise<string[]> {
    return [];
  }

  async open(path: string): Promise<Opened> {
    throw new Error(`there is no file ${path} here`);
  }

  async save(path: string, text: string): Promise<Saved> {
    download(path.split("/").at(-1)!, new Blob([text], { type: "text/plain" }));
    return { version: "" };
  }
}

export type Draft = { text: string; time: number };

// What has been typed and not saved, by the path of its worksheet.
export class Drafts {
  private readonly prefix: string;

  constructor(folder: string) {
    this.prefix = `bid-draft:${folder}:`;
  }

  find(path: string): Draft | null {
    try {
      return JSON.parse(localStorage.getItem(this.prefix + path) ?? "null") as Draft | null;
    } catch {
      return null;
    }
  }

  // False if the browser has no room for it.
  keep(path: string, text: string): boolean {
    try {
      localStorage.setItem(this.prefix + path, JSON.stringify({ text, time: Date.now() } satisfies Draft));
      return true;
    } catch {
      return false;
    }
  }

  drop(path: string): void {
    localStorage.removeItem(this.prefix + path);
  }
}
