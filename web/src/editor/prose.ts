// Comments that stand alone, shown as text: paragraphs, headings, `code`, links. Where the cursor is, they are shown as written.

import { type EditorState, type Extension, StateField } from "@codemirror/state";
import { type Command, Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { h } from "../dom.ts";
import { cellsField, setCells } from "./cells.ts";
import { elements } from "./markup.ts";

type Block = { from: number; to: number; text: string };

// The blocks of comment lines outside of statements.
function blocks(state: EditorState): Block[] {
  const { cells } = state.field(cellsField);
  const found: Block[] = [];
  let next = 0;
  let open: Block | null = null;
  for (let number = 1; number <= state.doc.lines; number++) {
    const line = state.doc.line(number);
    while (next < cells.length && cells[next]!.to < line.from) next++;
    const isInside = next < cells.length && cells[next]!.from <= line.to;
    const words = isInside ? null : /^\s*\/\/(?!\/)\s?(.*)$/.exec(line.text);
    if (!words) open = null;
    else if (open) [open.to, open.text] = [line.to, `${open.text}\n${words[1]}`];
    else found.push((open = { from: line.from, to: line.to, text: words[1]! }));
  }
  return found;
}

class Prose extends WidgetType {
  readonly text: string;
  constructor(text: string) {
    super();
    this.text = text;
  }
  override eq(other: Prose): boolean {
    return other.text === this.text;
  }
  override toDOM(view: EditorView): HTMLElement {
    const dom = h("div", { class: "prose" }, ...elements(this.text));
    dom.addEventListener("mousedown", (event) => {
      if ((event.target as Element).closest("a")) return;
      event.preventDefault();
      view.dispatch({ selection: { anchor: view.posAtDOM(dom) }, scrollIntoView: false });
      view.focus();
    });
    return dom;
  }
  override get estimatedHeight(): number {
    return 24 * this.text.split("\n").length;
  }
  override ignoreEvent(): boolean {
    return true;
  }
}

type Shown = { blocks: Block[]; decorations: DecorationSet };

function show(blocks: Block[], state: EditorState): DecorationSet {
  const { ranges } = state.selection;
  const isTouched = (block: Block) => ranges.some((range) => range.from <= block.to && range.to >= block.from);
  const hidden = blocks.filter((block) => !isTouched(block));
  return Decoration.set(hidden.map((block) => Decoration.replace({ widget: new Prose(block.text), block: true }).range(block.from, block.to)));
}

const proseField = StateField.define<Shown>({
  create: () => ({ blocks: [], decorations: Decoration.none }),
  update(value, transaction) {
    const { state } = transaction;
    if (!state.field(cellsField).isKnown) return { blocks: [], decorations: Decoration.none };
    const isNew = transaction.docChanged || transaction.effects.some((effect) => effect.is(setCells));
    if (!isNew && !transaction.selection) return value;
    const found = isNew ? blocks(state) : value.blocks;
    return { blocks: found, decorations: show(found, state) };
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.decorations),
});

export const prose: Extension = proseField;

// The comments that stand alone.
export function blocksOf(state: EditorState): Block[] {
  return state.field(proseField).blocks;
}

// Moves the cursor by a line into prose, which is then shown as written.
export function intoProse(down: boolean): Command {
  return (view) => {
    const { head, empty } = view.state.selection.main;
    const line = view.state.doc.lineAt(head);
    const { blocks } = view.state.field(proseField);
    const block = down ? blocks.find(({ from }) => from === line.to + 1) : blocks.find(({ to }) => to === line.from - 1);
    if (!block || !empty) return false;
    view.dispatch({ selection: { anchor: down ? block.from : view.state.doc.lineAt(block.to).from }, scrollIntoView: true });
    return true;
  };
}
