// The worksheet: an editor over the text, and the answers of its cells.

import { acceptCompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, dropCursor, EditorView, highlightSpecialChars, keymap } from "@codemirror/view";
import { Answer, type Host } from "./answers/answer.ts";
import { type Placed, cellAt, cellsField, dropAnswers, isQuestion, keyOf, placedIn, putAnswer, runGutter, setCells } from "./editor/cells.ts";
import { Document, type Found } from "./editor/document.ts";
import { completion, hover, showFindings } from "./editor/help.ts";
import { intoProse, prose } from "./editor/prose.ts";
import { setShades, shades } from "./editor/shades.ts";
import type { Engine } from "./engine/engine.ts";
import type { Bench, Event, Value } from "./engine/messages.ts";
import { type Job, Queue } from "./queue.ts";

// What runs: in words, and how much of it is done.
export type Work = { told: string; share: number | null };

export class Sheet implements Host {
  readonly view: EditorView;
  readonly document: Document;
  onEdit: (text: string) => void = () => {};
  // So many answers are out of date.
  onStale: (count: number) => void = () => {};
  // The cells of the text are known anew.
  onFound: () => void = () => {};
  // What runs, and how many cells wait.
  onWork: (work: Work | null, waiting: number) => void = () => {};
  private readonly engine: Engine;
  private readonly queue = new Queue(() => this.settled(), (job, bench) => this.start(job, bench));
  private readonly open = new Set<Answer>();
  private found: Found | null = null;
  // How many texts there have been.
  private texts = 0;

  constructor(engine: Engine, parent: HTMLElement) {
    this.engine = engine;
    this.view = new EditorView({ parent, state: EditorState.create({ extensions: this.extensions() }) });
    this.document = new Document(engine, this.view, "scratch.bid");
    this.document.onFound = (found) => this.show(found);
  }

  private extensions(): Extension {
    const document = () => this.document;
    const keys = [
      { key: "Shift-Enter", run: () => this.runHere(true) },
      { key: "Mod-Enter", run: () => this.runHere(false) },
      { key: "Mod-Shift-Enter", run: () => this.runAll() },
      { key: "Mod-.", run: () => this.stopAll() },
      { key: "Tab", run: acceptCompletion },
      { key: "ArrowDown", run: intoProse(true) },
      { key: "ArrowUp", run: intoProse(false) },
    ];
    return [
      keymap.of(keys),
      runGutter((cell) => this.toggle(cell)),
      lintGutter({ hoverTime: 200 }),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      dropCursor(),
      EditorState.allowMultipleSelections.of(true),
      bracketMatching(),
      closeBrackets(),
      highlightSelectionMatches(),
      indentUnit.of("    "),
      EditorView.lineWrapping,
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
      EditorState.languageData.of(() => [{ commentTokens: { line: "//" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } }]),
      EditorView.contentAttributes.of({ "aria-label": "Program", spellcheck: "false", autocapitalize: "off" }),
      cellsField,
      prose,
      shades,
      completion(this.engine, document),
      hover(this.engine, document),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        this.document.changed(update.changes);
        this.onEdit(update.state.doc.toString());
      }),
    ];
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  // Another text; answers of the one before go.
  setText(text: string, path: string): void {
    this.stopAll();
    this.view.setState(EditorState.create({ doc: text, extensions: this.extensions() }));
    this.found = null;
    this.texts += 1;
    this.onStale(0);
    this.document.rename(path);
    this.document.ask();
  }

  // The cursor goes to the first line of program, so that prose is read as prose.
  goToFirst(): void {
    const found = /^(?!\s*\/\/)(?=\s*\S)/m.exec(this.text);
    this.view.dispatch({ selection: { anchor: found?.index ?? this.view.state.doc.length } });
  }

  private show(found: Found): void {
    this.found = found;
    showFindings(this.view, found);
    this.view.dispatch({ effects: [setCells.of(found.cells), setShades.of(found.tokens)] });
    this.compare();
    this.onFound();
  }

  // The cursor goes to a place, which comes into sight at the top.
  goTo(pos: number): void {
    const { doc } = this.view.state;
    const anchor = Math.min(pos, doc.length);
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "start", yMargin: 12 }) });
    this.view.focus();
  }

  // Marks the answers that say something of yesterday.
  private compare(): void {
    const { state } = this.view;
    const { cells } = state.field(cellsField);
    for (const { answer, cell } of placedIn(state)) answer.setStale(keyOf(state.doc, cells, cell) !== answer.key);
    this.warnOnce();
    this.onStale(this.stale.length);
    this.measure();
  }

  // A warning that several answers give, as those about one graph do, is shown by the first.
  private warnOnce(): void {
    const told = new Set<string>();
    for (const { answer } of placedIn(this.view.state))
      for (const warning of answer.dom.querySelectorAll<HTMLElement>(".finding.warning")) {
        const drawn = warning.dataset["drawn"]!;
        warning.hidden = told.has(drawn);
        told.add(drawn);
      }
  }

  measure(): void {
    this.view?.requestMeasure();
  }

  // Waits until the cells of the text are known; false if there is another text by then.
  private async settled(): Promise<boolean> {
    const { texts } = this;
    while ((this.found === null || !this.document.isSettled) && texts === this.texts) await new Promise((resolve) => setTimeout(resolve, 20));
    return texts === this.texts;
  }

  private runHere(advance: boolean): boolean {
    void this.settled().then((isThere) => isThere && this.runAtCursor(advance));
    return true;
  }

  private runAtCursor(advance: boolean): void {
    const { state } = this.view;
    const at = cellAt(state, state.selection.main.head);
    if (at === null) return;
    const { cells } = state.field(cellsField);
    this.run(at, true);
    const next = cells[at + 1];
    if (!advance) return;
    if (next) this.view.dispatch({ selection: { anchor: next.from }, scrollIntoView: true });
    else this.openCell();
  }

  // The cursor goes to an empty line at the end, where another cell can be written.
  openCell(): void {
    const { doc } = this.view.state;
    const isOpen = doc.line(doc.lines).text.trim() === "";
    const changes = isOpen ? [] : { from: doc.length, insert: "\n" };
    this.view.dispatch({ changes, selection: { anchor: doc.length + (isOpen ? 0 : 1) }, scrollIntoView: true, userEvent: "input" });
    this.view.focus();
  }

  private answerOf(cell: number): Answer | null {
    return placedIn(this.view.state).find((placed) => placed.cell === cell)?.answer ?? null;
  }

  // Runs a cell, or stops it.
  private toggle(cell: number): void {
    const answer = this.answerOf(cell);
    if (answer?.isOpen) this.stop(answer);
    else this.run(cell, true);
  }

  private run(cell: number, isAlone: boolean): void {
    const before = this.answerOf(cell);
    if (before?.isOpen) this.stop(before);
    const answer = new Answer(this, before);
    this.open.add(answer);
    this.view.dispatch({ effects: putAnswer.of({ cell, answer }) });
    this.queue.add({ answer, answers: [], isAlone });
  }

  // Runs a cell as it is now; it may have been written anew while it waited, or be gone.
  private start({ answer, answers }: Job, bench: Bench): void {
    const { state } = this.view;
    const cell = this.cellOf(answer);
    if (cell === null) {
      answer.cancelled();
      return this.ended(answer);
    }
    const { cells } = state.field(cellsField);
    const { from, to } = cells[cell]!;
    const begins = this.document.sync().byte(from);
    const script = { seed: answer.seed, answers };
    answer.begins(keyOf(state.doc, cells, cell), state.sliceDoc(from, to));
    this.onWork({ told: "Starting", share: null }, this.queue.size);
    answer.request = this.engine.request({ play: [this.document.path, begins, script] }, (event) => this.heard(event, answer), bench);
    this.refresh();
  }

  private cellOf(answer: Answer): number | null {
    return placedIn(this.view.state).find((placed) => placed.answer === answer)?.cell ?? null;
  }

  private heard(event: Event, answer: Answer): void {
    answer.take(event);
    if (event.event === "finding") this.warnOnce();
    if (event.event === "progress") this.onWork({ told: answer.progress(event), share: event.total ? event.done / event.total : null }, this.queue.size);
    if (event.event !== "done" && event.event !== "lost") return;
    answer.done(event.event === "done" ? event : null);
    this.ended(answer);
  }

  private ended(answer: Answer): void {
    this.open.delete(answer);
    this.queue.ended(answer);
    if (this.open.size === 0) this.onWork(null, 0);
    this.refresh();
    this.compare();
  }

  // The marks beside cells show how their answers stand; answers that say nothing go.
  private refresh(): void {
    this.view.dispatch({ effects: dropAnswers.of((answer) => answer.isSilent) });
  }

  play(answer: Answer, answers: string[]): void {
    if (this.cellOf(answer) === null || answer.isOpen) return;
    answer.replay();
    this.open.add(answer);
    this.queue.add({ answer, answers, isAlone: true });
    this.refresh();
  }

  // Runs every cell that is right or whose answer is out of date, one after another: each can be stopped by itself.
  runAll(): boolean {
    void this.settled().then((isThere) => {
      if (!isThere) return;
      const { cells } = this.view.state.field(cellsField);
      const stale = new Set(this.stale.map(({ cell }) => cell));
      cells.forEach((span, cell) => (isQuestion(span) || stale.has(cell)) && this.run(cell, false));
    });
    return true;
  }

  private get stale(): Placed[] {
    return placedIn(this.view.state).filter(({ answer }) => answer.state === "stale");
  }

  // Runs the cells whose answers are out of date.
  runStale(): void {
    void this.settled().then((isThere) => isThere && this.stale.forEach(({ cell }) => this.run(cell, false)));
  }

  stop(answer: Answer): void {
    if (answer.request !== null) return this.engine.stop(answer.request);
    if (!this.queue.drop(answer)) return;
    this.open.delete(answer);
    // What it has shown before, as a match has, stands; without that it goes.
    answer.cancelled();
    this.refresh();
    if (this.open.size === 0) this.onWork(null, 0);
  }

  stopAll(): boolean {
    for (const answer of [...this.open]) this.stop(answer);
    return true;
  }

  addCell(answer: Answer | null, text: string): void {
    const { state } = this.view;
    const at = answer && this.cellOf(answer);
    const end = at === null ? state.doc.length : state.doc.lineAt(state.field(cellsField).cells[at]!.to).to;
    const insert = `${end === 0 ? "" : "\n"}${text}\n`;
    const anchor = end + insert.length - 1;
    this.view.dispatch({ changes: { from: end, insert }, selection: { anchor }, scrollIntoView: true, userEvent: "input" });
    this.view.focus();
  }

  async ask(text: string, signal: AbortSignal): Promise<Value | null> {
    const bench = this.queue.freeBench;
    if (!bench || signal.aborted) return null;
    this.document.sync();
    return this.engine.value({ enter: [this.document.path, text] }, "value", bench, signal);
  }
}
