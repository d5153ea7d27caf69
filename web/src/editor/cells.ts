// The statements of the text with their answers below them, and a mark beside each that runs it.

import {
  type ChangeDesc, type EditorState, type Extension, RangeSet, RangeSetBuilder, StateEffect, StateField, type Text, type Transaction,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, GutterMarker, WidgetType, gutter } from "@codemirror/view";
import type { Answer } from "../answers/answer.ts";
import type { CellSpan, Span } from "./document.ts";

export const setCells = StateEffect.define<CellSpan[]>();
export const putAnswer = StateEffect.define<{ cell: number; answer: Answer }>();
export const dropAnswers = StateEffect.define<(answer: Answer) => boolean>();

// The text that an answer is of, moved along with edits; what was typed directly before it begins at `outer`.
type Own = Span & { outer: number };

// An answer with its text, null when that was deleted, and the number of the cell that shows it: none while the text is part of another cell.
type Kept = { answer: Answer; own: Own | null; cell: number | null };

export type Placed = { answer: Answer; cell: number };

export type Cells = { cells: CellSpan[]; isKnown: boolean; answers: Kept[]; shown: DecorationSet };

class AnswerWidget extends WidgetType {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super();
    this.answer = answer;
  }
  override eq(other: AnswerWidget): boolean {
    return other.answer === this.answer;
  }
  override toDOM(): HTMLElement {
    return this.answer.dom;
  }
  override get estimatedHeight(): number {
    return this.answer.height;
  }
  override ignoreEvent(): boolean {
    return true;
  }
}

// The number of the cell at a place: the last one that begins there or before, if the place is on its lines.
export function cellAt(state: EditorState, pos: number): number | null {
  const { cells } = state.field(cellsField);
  const line = state.doc.lineAt(pos);
  for (let at = cells.length - 1; at >= 0; at--) {
    const cell = cells[at]!;
    if (cell.from <= line.to) return cell.to >= line.from ? at : null;
  }
  return null;
}

// The text of a cell and of all that it needs: when this changes, its answer is of yesterday.
export function keyOf(doc: Text, cells: CellSpan[], at: number): string {
  const text = (cell: CellSpan | undefined) => (cell ? doc.sliceString(cell.from, cell.to) : "");
  return [at, ...cells[at]!.needs].map((cell) => text(cells[cell])).join("\0");
}

// Whether a cell has an answer: definitions and headers have none.
export function isQuestion(cell: CellSpan): boolean {
  return cell.isReadable && cell.defines === null && !cell.isForAll;
}

// The answers that are shown, in the order of their cells.
export function placedIn(state: EditorState): Placed[] {
  const placed = state.field(cellsField).answers.filter((kept): kept is Kept & Placed => kept.cell !== null);
  return placed.sort((a, b) => a.cell - b.cell);
}

function moved(own: Own, changes: ChangeDesc): Own | null {
  const { outer, from, to } = own;
  let isThere = true;
  changes.iterChangedRanges((start, end) => {
    if (start <= from && to <= end) isThere = false;
  });
  return isThere ? { outer: changes.mapPos(outer, -1), from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) } : null;
}

// Gives each cell the answer of the text that it begins with, and never another: a cell that has run into the next one hides the answer of
// that until they are parted again. A cell that has come anew gets the answer of the same text where that was deleted.
function settle(answers: Kept[], cells: CellSpan[], before: CellSpan[], doc: Text): Kept[] {
  const found = new Map<Answer, Kept>();
  const taken = new Set<number>();
  const give = (answer: Answer, own: Own, cell: number) => {
    const span = cells[cell]!;
    // A definition shows at most what has come of running itself.
    const isShown = isQuestion(span) || !span.isReadable || answer.isOpen || answer.key === keyOf(doc, cells, cell);
    found.set(answer, { answer, own, cell: isShown ? cell : null });
    taken.add(cell);
  };
  let cell = 0;
  for (const { answer, own } of [...answers].sort((a, b) => (a.own?.from ?? 0) - (b.own?.from ?? 0))) {
    if (own === null) continue;
    while (cell < cells.length && cells[cell]!.to <= own.from) cell++;
    const from = cells[cell]?.from ?? Infinity;
    if (own.outer <= from && from <= own.from && !taken.has(cell)) give(answer, from === own.from ? { ...own, outer: from } : own, cell);
  }
  const deleted = new Map(answers.filter(({ own }) => own === null).map(({ answer }) => [answer.key, answer]));
  const old = new Set(before.filter(({ from, to }) => from < to).map(({ from }) => from));
  for (const [cell, { from, to }] of cells.entries()) {
    if (deleted.size === 0) break;
    const answer = taken.has(cell) || old.has(from) ? undefined : deleted.get(keyOf(doc, cells, cell));
    if (answer && deleted.delete(answer.key)) give(answer, { outer: from, from, to }, cell);
  }
  return answers.map((kept) => found.get(kept.answer) ?? { ...kept, cell: null });
}

// An answer stands below its cell. Nobody knows where a cell ends that cannot be read: until it can, the answer stays below its own text.
function place(answers: Kept[], cells: CellSpan[], doc: Text): DecorationSet {
  const widgets = answers.flatMap(({ answer, own, cell }) => {
    if (cell === null || own === null) return [];
    const { isReadable, to } = cells[cell]!;
    const end = Math.min(isReadable ? to : own.to, doc.length);
    return [Decoration.widget({ widget: new AnswerWidget(answer), block: true, side: 1 }).range(doc.lineAt(end).to)];
  });
  return Decoration.set(widgets, true);
}

function update(value: Cells, transaction: Transaction): Cells {
  let { cells, isKnown, answers, shown } = value;
  let isChanged = false;
  const { changes, newDoc } = transaction;
  if (transaction.docChanged) {
    cells = cells.map((cell) => ({ ...cell, from: changes.mapPos(cell.from, 1), to: changes.mapPos(cell.to, -1) }));
    answers = answers.map((kept) => ({ ...kept, own: kept.own && moved(kept.own, changes) }));
    shown = shown.map(changes);
  }
  const before = cells;
  for (const effect of transaction.effects) {
    if (effect.is(setCells)) [cells, isKnown, isChanged] = [effect.value, true, true];
    else if (effect.is(putAnswer)) {
      const { cell, answer } = effect.value;
      const { from, to } = cells[cell]!;
      isChanged = true;
      answers = [{ answer, own: { outer: from, from, to }, cell }, ...answers.filter((kept) => kept.cell !== cell)];
    } else if (effect.is(dropAnswers)) {
      isChanged = true;
      answers = answers.filter(({ answer }) => !effect.value(answer));
    }
  }
  if (!isChanged) return { cells, isKnown, answers, shown };
  answers = settle(answers, cells, before, newDoc);
  return { cells, isKnown, answers, shown: place(answers, cells, newDoc) };
}

export const cellsField = StateField.define<Cells>({
  create: () => ({ cells: [], isKnown: false, answers: [], shown: Decoration.none }),
  update,
  provide: (field) => EditorView.decorations.from(field, (value) => value.shown),
});

class RunMark extends GutterMarker {
  readonly state: string;
  constructor(state: string) {
    super();
    this.state = state;
  }
  override eq(other: RunMark): boolean {
    return other.state === this.state;
  }
  override toDOM(): HTMLElement {
    const mark = document.createElement("span");
    mark.className = `run ${this.state}`;
    mark.title = "Run this cell (Shift-Enter)";
    mark.textContent = this.state === "running" || this.state === "waiting" ? "■" : "▶";
    return mark;
  }
}

function marks(view: EditorView): RangeSet<GutterMarker> {
  const { cells } = view.state.field(cellsField);
  const states = new Map(placedIn(view.state).map(({ answer, cell }) => [cell, answer.state]));
  const builder = new RangeSetBuilder<GutterMarker>();
  let last = -1;
  cells.forEach(({ from }, cell) => {
    const line = view.state.doc.lineAt(Math.min(from, view.state.doc.length)).from;
    if (line <= last) return;
    builder.add(line, line, new RunMark(states.get(cell) ?? "idle"));
    last = line;
  });
  return builder.finish();
}

// The marks beside the cells; a click runs a cell, or stops it.
export function runGutter(click: (cell: number) => void): Extension {
  return gutter({
    class: "cm-runs",
    markers: marks,
    initialSpacer: () => new RunMark("idle"),
    lineMarkerChange: () => true,
    domEventHandlers: {
      click: (view, line) => {
        const at = cellAt(view.state, line.from);
        if (at !== null) click(at);
        return true;
      },
    },
  });
}
