// The page: a worksheet with its toolbar, its file, and examples to begin with.

import { button, h } from "./dom.ts";
import { firstSentence } from "./editor/comments.ts";
import { inline, withCode } from "./editor/markup.ts";
import { Engine } from "./engine/engine.ts";
import { ServerTransport } from "./engine/server.ts";
import { WasmTransport } from "./engine/wasm.ts";
import { EXAMPLES, TUTORIAL } from "./examples.ts";
import { askLine, choose, dialog } from "./files/dialogs.ts";
import { linkTo, programIn } from "./files/link.ts";
import { DownloadStore, Drafts, ServerStore, type Store } from "./files/store.ts";
import { clear, notice } from "./notices.ts";
import { Outline } from "./outline.ts";
import { Sheet, type Work } from "./sheet.ts";
import { welcome } from "./welcome.ts";

const SCRATCH = "scratch.bid";

// The file that an address names.
function fileIn(hash: string): string | null {
  if (!hash.startsWith("#f=")) return null;
  try {
    return decodeURIComponent(hash.slice(3));
  } catch {
    return null;
  }
}

// The parts of the page: an exported page that becomes a worksheet has none of them.
function frame(): void {
  document.body.prepend(
    h("header", { id: "bar", role: "toolbar", "aria-label": "Worksheet" }),
    h("div", { id: "notices", role: "status", "aria-live": "polite" }),
    h("div", { id: "middle" }, h("main", { id: "sheet", "aria-label": "Worksheet" }), h("nav", { id: "outline", "aria-label": "Outline", hidden: true })),
    h("aside", { id: "welcome", "aria-label": "Welcome" }),
  );
}

class App {
  private readonly engine = new Engine((listener) => (STATIC_PAGE ? new WasmTransport(listener) : new ServerTransport(listener)));
  private readonly store: Store = STATIC_PAGE ? new DownloadStore() : new ServerStore();
  private readonly sheet: Sheet;
  private readonly outline: Outline;
  // The address of a playground that others can reach.
  private playground: string | null = null;
  private drafts = new Drafts("");
  // The file of the worksheet; null for scratch.
  private path: string | null = null;
  private saved: { text: string; version: string | null } = { text: "", version: null };
  // Whether the browser keeps unsaved text of this worksheet that was typed here, and not only an older draft that is still offered.
  private hasDraft = false;
  private readonly name = h("span", { class: "name" }, "scratch");
  private readonly work = h("span", { class: "work", role: "status", "aria-live": "off" });
  private readonly stop = button("Stop", () => this.sheet.stopAll(), { title: "Ctrl-.", disabled: true });
  private readonly update = button("Update", () => this.bringUpToDate(), { title: "Run the cells whose answers are out of date", hidden: true });
  private timer = 0;

  constructor() {
    frame();
    this.sheet = new Sheet(this.engine, document.getElementById("sheet")!);
    this.sheet.onEdit = () => this.edited();
    this.sheet.onWork = (work, waiting) => this.working(work, waiting);
    this.sheet.onStale = (count) => {
      this.update.hidden = count === 0;
      this.update.textContent = `Update ${count}`;
    };
    this.outline = new Outline(document.getElementById("outline")!, this.sheet);
    this.engine.onState = (link, why) => this.linked(link, why);
    this.toolbar();
    this.welcome();
    addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      const act = { s: () => void this.save(), ".": () => void this.sheet.stopAll() }[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    });
    addEventListener("pagehide", () => this.keepDraft());
    addEventListener("hashchange", () => void this.openAddress());
  }

  private toolbar(): void {
    const bar = document.getElementById("bar")!;
    bar.append(
      h("span", { class: "brand" }, "bid"),
      this.name,
      button("Run all", () => this.sheet.runAll(), { class: "main", title: "Ctrl-Shift-Enter" }),
      this.update,
      button("+ Cell", () => this.sheet.openCell(), { title: "Shift-Enter in the last cell" }),
      this.stop,
      this.work,
      h("span", { class: "gap" }),
      this.store.isDisk ? button("Open", () => void this.choose(), { title: "A worksheet of this folder" }) : "",
      button(this.store.isDisk ? "Save" : "Download", () => void this.save(), { title: "Ctrl-S" }),
      this.outline.button,
      button("Library", () => void this.library(), { title: "The game library" }),
      button("Examples", () => this.welcome(true), { title: "The tutorial and examples" }),
      button("Link", () => void this.link(), { title: "A link that holds this program" }),
      button("Keys", () => this.keys()),
      button("◐", () => this.turnColours(), { "aria-label": "Dark or light", class: "quiet" }),
    );
    const colours = localStorage.getItem("bid-colours");
    if (colours) document.documentElement.dataset["colours"] = colours;
  }

  // The button goes when nothing is out of date, so that the keys belong to the text again.
  private bringUpToDate(): void {
    this.sheet.runStale();
    this.sheet.view.focus();
  }

  private turnColours(): void {
    const root = document.documentElement;
    const isDark = root.dataset["colours"] ? root.dataset["colours"] === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset["colours"] = isDark ? "light" : "dark";
    localStorage.setItem("bid-colours", root.dataset["colours"]);
  }

  private welcome(isAsked = false): void {
    const panel = document.getElementById("welcome")!;
    const close = () => {
      panel.hidden = true;
      if (isAsked && this.sheet.text.trim() !== "") void this.begin("");
      this.sheet.view.focus();
    };
    const dismiss = button("×", () => (panel.hidden = true), { "aria-label": "Close", class: "quiet close" });
    panel.replaceChildren(dismiss, ...welcome((text) => void this.begin(text), close));
    panel.hidden = !isAsked && this.path !== null;
    if (isAsked) panel.querySelector("button")?.focus();
  }

  // Begins a scratch worksheet with a text; what is there and not saved is kept as a draft.
  private async begin(text: string): Promise<void> {
    document.getElementById("welcome")!.hidden = true;
    this.keepDraft();
    const before = this.sheet.text;
    const wasScratch = this.path === null && before.trim() !== "" && ![TUTORIAL, ...EXAMPLES.map(({ text }) => text)].includes(before);
    this.show(null, text, { text, version: null });
    if (wasScratch) notice("before", "Another scratch worksheet was here.", [["Bring it back", () => this.show(null, before, this.saved)]]);
    this.sheet.view.focus();
    if (text !== "") this.sheet.runAll();
  }

  private show(path: string | null, text: string, saved: { text: string; version: string | null }): void {
    [this.path, this.saved, this.hasDraft] = [path, saved, false];
    this.sheet.setText(text, path ?? SCRATCH);
    this.mark();
    this.nameAddress();
    this.sheet.goToFirst();
  }

  // The address names the file, so that a reload shows it again.
  private nameAddress(): void {
    if (this.path !== null) history.replaceState(null, "", `#f=${encodeURIComponent(this.path)}`);
    else if (fileIn(location.hash) !== null) history.replaceState(null, "", location.pathname + location.search);
  }

  private get isChanged(): boolean {
    return this.sheet.text !== this.saved.text;
  }

  private mark(): void {
    const name = this.path ?? "scratch";
    this.name.textContent = this.isChanged ? `${name} ●` : name;
    this.name.title = this.isChanged ? "not saved; the browser keeps it" : "";
    document.title = `${this.isChanged ? "● " : ""}${name} — bid`;
  }

  private edited(): void {
    this.mark();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.keepDraft(), 250);
    if (this.sheet.text !== "") document.getElementById("welcome")!.hidden = true;
  }

  private keepDraft(): void {
    const key = this.path ?? "";
    if (!this.isChanged) return void (this.hasDraft && this.drafts.drop(key));
    this.hasDraft = true;
    if (!this.drafts.keep(key, this.sheet.text)) notice("room", "The browser has no room to keep unsaved text: save it.", [], "error");
  }

  // Opens a file, or a scratch worksheet, and offers text of it that has not been saved. What has been typed while the file was not there
  // yet is kept.
  async open(path: string | null): Promise<void> {
    clear("draft");
    let found = { text: "", version: null as string | null };
    if (path !== null) {
      try {
        found = await this.store.open(path);
      } catch (error) {
        return notice("file", (error as Error).message, [], "error");
      }
    }
    const draft = this.drafts.find(path ?? "");
    if (path !== null || !this.isChanged) {
      this.keepDraft();
      this.show(path, found.text, found);
      document.getElementById("welcome")!.hidden = path !== null;
    }
    if (!draft || draft.text === this.sheet.text) return;
    const time = new Date(draft.time).toLocaleString();
    notice("draft", `Text of ${time} was not saved.`, [
      ["Restore it", () => this.restore(draft.text)],
      ["Discard it", () => this.drafts.drop(path ?? "")],
    ]);
  }

  private restore(text: string): void {
    const { view } = this.sheet;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    this.mark();
  }

  private async choose(): Promise<void> {
    const files = await this.store.list().catch((error: Error) => (notice("file", error.message, [], "error"), null));
    const chosen = files && (await choose("Worksheets of this folder", files.map((name) => ({ name }))));
    if (chosen) await this.open(chosen);
  }

  private async save(): Promise<void> {
    let path = this.path;
    if (path === null) {
      const said = await askLine("Save the worksheet", "Name", "worksheet.bid");
      if (said === null) return;
      path = said.endsWith(".bid") ? said : `${said}.bid`;
    }
    await this.write(path, this.path === null ? null : this.saved.version);
  }

  private async write(path: string, seen: string | null): Promise<void> {
    clear("save");
    const text = this.sheet.text;
    const done = await this.store.save(path, text, seen);
    if ("error" in done) return notice("save", done.error, [], "error");
    if ("conflict" in done) {
      const { conflict } = done;
      return notice("save", `${path} has changed on the disk.`, [
        ["Overwrite it", () => void this.write(path, conflict.version)],
        ["Take the disk's text", () => this.show(path, conflict.text, conflict)],
      ], "error");
    }
    this.drafts.drop(this.path ?? "");
    this.saved = { text, version: done.version };
    if (path !== this.path) {
      this.path = path;
      this.sheet.document.rename(path);
      this.nameAddress();
    }
    this.mark();
    this.keepDraft();
    notice("save", `Saved ${path}.`);
    setTimeout(() => clear("save"), 3000);
  }

  private async library(): Promise<void> {
    const found = await this.engine.answer("library", "library");
    if (!found) return;
    const chosen = await choose("The game library", found.files.map(([name, text]) => ({ name, about: inline(firstSentence(text)) })));
    const text = found.files.find(([name]) => name === chosen)?.[1];
    if (text !== undefined) {
      this.keepDraft();
      this.show(null, text, { text, version: null });
    }
  }

  private async link(): Promise<void> {
    const address = await linkTo(this.sheet.text, this.playground ?? undefined);
    const input = h("input", { type: "text", readonly: true, value: address, "aria-label": "Link" });
    const copy = button("Copy", () => void navigator.clipboard.writeText(address).then(() => (copy.textContent = "copied"), () => input.select()), { class: "main" });
    const isForOthers = !this.store.isDisk || this.playground !== null;
    const where = isForOthers ? "It holds the whole program after `#`, which goes to no server." : "It opens on this machine only, while `bid serve` runs.";
    dialog("Link to this program", h("p", {}, ...withCode(where)), h("div", { class: "row" }, input, copy), ...(isForOthers ? [] : [this.waysToOthers()]));
    input.select();
  }

  // How others can see the program where the page knows no playground.
  private waysToOthers(): HTMLElement {
    const file = this.path ?? "worksheet.bid";
    return h(
      "div",
      { class: "ways" },
      h("p", {}, "For others:"),
      h("p", {}, h("code", {}, `bid export ${file} -o ${file.replace(/\.bid$/, ".html")}`), " writes one page with the program and all its answers."),
      h("p", {}, h("code", {}, "bid serve --playground URL"), " makes links to a playground at that address."),
    );
  }

  // Opens what the address was changed to.
  private async openAddress(): Promise<void> {
    if (await this.openLink()) return;
    const file = fileIn(location.hash);
    if (file !== null && file !== this.path && this.store.isDisk) await this.open(file);
  }

  // Opens the program of a link, if the address holds one.
  private async openLink(): Promise<boolean> {
    if (!location.hash.startsWith("#p=")) return false;
    try {
      const text = await programIn(location.hash);
      if (text === null) throw new Error("it holds no program");
      this.keepDraft();
      this.show(null, text, { text, version: null });
      document.getElementById("welcome")!.hidden = true;
      // Who follows a link wants to see answers. On a machine of its own a program waits until it is looked at.
      if (STATIC_PAGE) this.sheet.runAll();
      return true;
    } catch (error) {
      notice("link", `This link cannot be read: ${(error as Error).message}.`, [], "error");
      return false;
    }
  }

  // Opens the program of the exported page that this page was, and runs it.
  private openBrought(): boolean {
    const brought = globalThis.broughtProgram;
    if (!brought) return false;
    void this.begin(brought.text);
    return true;
  }

  private keys(): void {
    const keys: [string, string][] = [
      ["Shift-Enter", "run the cell and go to the next one, or open one"],
      ["Ctrl-Enter", "run the cell"],
      ["Ctrl-Shift-Enter", "run all cells"],
      ["Ctrl-.", "stop"],
      ["Ctrl-S", "save"],
      ["Ctrl-Space", "complete"],
      ["\\wedge, \\le, \\equiv …", "∧, ≤, ≡; or write /\\, <=, =="],
      ["Ctrl-Shift-M", "list what is wrong"],
      ["Escape, then Tab", "leave the text for the answers and buttons"],
      ["+ − 0 and arrows", "on a picture: closer, further, whole, move"],
    ];
    dialog("Keys", h("dl", { class: "keys" }, ...keys.flatMap(([key, does]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, does)])));
  }

  private working(work: Work | null, waiting: number): void {
    this.stop.disabled = work === null;
    if (!work) return this.work.replaceChildren();
    const { told, share } = work;
    const others = waiting > 0 ? ` · ${waiting} queued` : "";
    this.work.replaceChildren(h("progress", share === null ? { "aria-label": told } : { value: share, max: 1, "aria-label": told }), `${told}${others}`);
  }

  private linked(link: "ready" | "starting" | "broken", why?: string): void {
    document.body.dataset["link"] = link;
    if (link === "broken") notice("engine", why ?? "The connection to the program is broken; the page tries again. Your text is kept here.", [], "error");
    else if (why) notice("engine", why);
    else clear("engine");
  }

  async start(): Promise<void> {
    let file: string | null = null;
    if (this.store.isDisk) {
      try {
        const said = (await (await fetch("api/start")).json()) as { file: string | null; folder: string; playground: string | null };
        this.drafts = new Drafts(said.folder);
        [file, this.playground] = [said.file, said.playground];
      } catch {
        this.linked("broken");
      }
    }
    if (this.openBrought() || (await this.openLink())) return;
    await this.open((this.store.isDisk ? fileIn(location.hash) : null) ?? file);
    this.sheet.view.focus();
  }
}

void new App().start();
