// What is known of the text that is edited: its statements, tokens and mistakes. The engine is asked after every change; one question is
// under way at a time, and what comes back is moved along with what was typed meanwhile.

import { ChangeSet, type Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { Offsets } from "../engine/offsets.ts";
import type { Engine } from "../engine/engine.ts";
import type { Event, Finding, Mending } from "../engine/messages.ts";

export type Span = { from: number; to: number };

export type CellSpan = Span & { isReadable: boolean; defines: string | null; isForAll: boolean; needs: number[] };

export type Shade = Span & { shade: string };

// A way to mend what is wrong, in this text.
export type Mended = { title: string; changes: (Span & { insert: string })[] };

// What is wrong, where in this text, and what would mend it.
export type Wrong = { finding: Finding; span: Span | null; mendings: Mended[] };

export type Found = { cells: CellSpan[]; tokens: Shade[]; findings: Wrong[] };

export class Document {
  private readonly engine: Engine;
  private readonly view: EditorView;
  path: string;
  onFound: (found: Found) => void = () => {};
  private isAsking = false;
  private isStale = false;
  // What has changed since the text that the engine was last asked about.
  private changes: ChangeSet | null = null;
  private sent: { doc: Text; offsets: Offsets } | null = null;

  constructor(engine: Engine, view: EditorView, path: string) {
    [this.engine, this.view, this.path] = [engine, view, path];
  }

  // Whether what was found is about the text as it is now.
  get isSettled(): boolean {
    return !this.isAsking && !this.isStale;
  }

  // The text as the engine has it now.
  sync(): Offsets {
    const doc = this.view.state.doc;
    if (this.sent?.doc !== doc) {
      const text = doc.toString();
      this.sent = { doc, offsets: new Offsets(text) };
      this.engine.open(this.path, text);
    }
    return this.sent.offsets;
  }

  changed(changes: ChangeSet): void {
    this.changes = this.changes?.compose(changes) ?? changes;
    this.ask();
  }

  // Another file, with another text.
  rename(path: string): void {
    if (path === this.path) return;
    this.engine.close(this.path);
    [this.path, this.sent] = [path, null];
    this.ask();
  }

  ask(): void {
    if (this.isAsking) {
      this.isStale = true;
      return;
    }
    this.isAsking = true;
    this.isStale = false;
    const offsets = this.sync();
    this.changes = null;
    const found: Found = { cells: [], tokens: [], findings: [] };
    this.engine.ask({ analyse: this.path }, (event) => {
      this.take(event, offsets, found);
      if (event.event === "done") this.asked(event.stopped ? null : found);
      if (event.event === "lost") this.asked(null);
    });
  }

  private asked(found: Found | null): void {
    this.isAsking = false;
    if (found) this.onFound(this.moved(found));
    // A question that was stopped because the text has changed is put again at once, one that was lost when the engine may be back.
    if (this.isStale || found === null) setTimeout(() => this.ask(), this.isStale ? 0 : 300);
  }

  private take(event: Event, offsets: Offsets, found: Found): void {
    const span = (start: number, end: number): Span => ({ from: offsets.unit(start), to: offsets.unit(end) });
    if (event.event === "analysis") {
      for (const cell of event.cells)
        found.cells.push({
          ...span(cell.range.start, cell.range.end),
          isReadable: cell.is_readable,
          defines: cell.defines,
          isForAll: cell.is_for_all,
          needs: cell.needs,
        });
      for (let at = 0; at < event.tokens.length; at += 3) {
        const [start, end, shade] = event.tokens.slice(at, at + 3) as [number, number, string];
        found.tokens.push({ ...span(start, end), shade });
      }
      for (const finding of event.findings) {
        const place = finding.places.find((place) => place.document === this.path);
        // What is to be changed in other files is not in this worksheet's hand.
        const isHere = (mending: Mending) => mending.edits.every((edit) => edit.document === this.path);
        const mendings = finding.mendings.filter(isHere).map(({ title, edits }) => {
          const changes = edits.map(({ range, text }) => ({ ...span(range.start, range.end), insert: text }));
          return { title, changes };
        });
        found.findings.push({ finding, span: place ? span(place.range.start, place.range.end) : null, mendings });
      }
    } else if (event.event === "finding") found.findings.push({ finding: event.finding, span: null, mendings: [] });
  }

  // What was found, moved along with what has been typed since.
  private moved(found: Found): Found {
    const changes = this.changes;
    if (!changes) return found;
    const move = <S extends Span>(one: S): S => ({ ...one, from: changes.mapPos(one.from, 1), to: changes.mapPos(one.to, -1) });
    const isThere = (one: Span) => one.from < one.to;
    return {
      cells: found.cells.map(move),
      tokens: found.tokens.map(move).filter(isThere),
      findings: found.findings.map(({ finding, span, mendings }) => ({
        finding,
        span: span && move(span),
        mendings: mendings.map(({ title, changes }) => ({ title, changes: changes.map(move) })),
      })),
    };
  }
}
