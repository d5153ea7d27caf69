// The statements of the text with their answers below them, and a mark beside each that runs it.

import { type Extension, RangeSet, RangeSetBuilder, StateEffect, StateField, type EditorState, type Transaction } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, GutterMarker, WidgetType, gutter } from "@codemirror/view";
import type { Answer } from "../answers/answer.ts";
import type { CellSpan } from "./document.ts";

export const setCells = StateEffect.define<CellSpan[]>();
export const putAnswer = StateEffect.define<{ pos: number; answer: Answer }>();
export const dropAnswers = StateEffect.define<(answer: Answer) => boolean>();

export type Placed = { pos: number; answer: Answer };

export type Cells = { cells: CellSpan[]; isKnown: boolean; answers: Placed[]; shown: DecorationSet };

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
export function keyOf(state: EditorState, at: number): string {
  const { cells } = state.field(cellsField);
  const text = (cell: CellSpan | undefined) => (cell ? state.sliceDoc(cell.from, cell.to) : "");
  return [at, ...cells[at]!.needs].map((cell) => text(cells[cell])).join("\0");
}

function place(cells: Cells, state: Transaction["state"]): DecorationSet {
  const ends = cells.answers.map(({ pos, answer }) => {
    const cell = cells.cells.find((cell) => cell.from <= pos && pos <= cell.to);
    const end = state.doc.lineAt(Math.min(cell?.to ?? pos, state.doc.length)).to;
    return { end, answer };
  });
  ends.sort((a, b) => a.end - b.end);
  const widget = (answer: Answer) => Decoration.widget({ widget: new AnswerWidget(answer), block: true, side: 1 });
  return Decoration.set(ends.map(({ end, answer }) => widget(answer).range(end)));
}

// Answers whose cells are still there, one for each.
function kept(answers: Placed[], cells: CellSpan[]): Placed[] {
  const byCell = new Map<CellSpan, Placed>();
  for (const placed of answers) {
    const cell = cells.find((cell) => cell.from <= placed.pos && placed.pos <= cell.to);
    if (cell) byCell.set(cell, { ...placed, pos: cell.from });
  }
  return [...byCell.values()];
}

function update(value: Cells, transaction: Transaction): Cells {
  let { cells, isKnown, answers, shown } = value;
  let isChanged = false;
  if (transaction.docChanged) {
    const { changes } = transaction;
    cells = cells.map((cell) => ({ ...cell, from: changes.mapPos(cell.from, 1), to: changes.mapPos(cell.to, -1) }));
    answers = answers.map((placed) => ({ ...placed, pos: changes.mapPos(placed.pos, 1) }));
    shown = shown.map(changes);
  }
  for (const effect of transaction.effects) {
    if (effect.is(setCells)) {
      [cells, isKnown, isChanged] = [effect.value, true, true];
      answers = kept(answers, cells);
    } else if (effect.is(putAnswer)) {
      isChanged = true;
      answers = [...answers.filter(({ pos }) => pos !== effect.value.pos), effect.value];
    } else if (effect.is(dropAnswers)) {
      isChanged = true;
      answers = answers.filter(({ answer }) => !effect.value(answer));
    }
  }
  const next = { cells, isKnown, answers, shown };
  return isChanged ? { ...next, shown: place(next, transaction.state) } : next;
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
  const { cells, answers } = view.state.field(cellsField);
  const builder = new RangeSetBuilder<GutterMarker>();
  let last = -1;
  for (const cell of cells) {
    const line = view.state.doc.lineAt(Math.min(cell.from, view.state.doc.length)).from;
    if (line <= last) continue;
    const found = answers.find(({ pos }) => pos === cell.from);
    builder.add(line, line, new RunMark(found?.answer.state ?? "idle"));
    last = line;
  }
  return builder.finish();
}

// The marks beside the cells; a click runs a cell, or stops it.
export function runGutter(click: (pos: number) => void): Extension {
  return gutter({
    class: "cm-runs",
    markers: marks,
    initialSpacer: () => new RunMark("idle"),
    lineMarkerChange: () => true,
    domEventHandlers: {
      click: (view, line) => {
        const at = cellAt(view.state, line.from);
        if (at !== null) click(view.state.field(cellsField).cells[at]!.from);
        return true;
      },
    },
  });
}
