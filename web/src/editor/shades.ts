// Colours of tokens, as the engine tells them: the language has one table of words, and it is not here.

import { type Extension, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { Shade } from "./document.ts";

export const setShades = StateEffect.define<Shade[]>();

const marks = new Map<string, Decoration>();

function mark(shade: string): Decoration {
  let found = marks.get(shade);
  if (!found) marks.set(shade, (found = Decoration.mark({ class: `t-${shade}` })));
  return found;
}

function decorate(shades: Shade[], length: number): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to, shade } of shades) {
    if (shade !== "name" && shade !== "symbol" && shade !== "bracket" && from < to && to <= length) builder.add(from, to, mark(shade));
  }
  return builder.finish();
}

export const shades: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    const set = transaction.effects.find((effect) => effect.is(setShades));
    if (set) return decorate(set.value as Shade[], transaction.newDoc.length);
    return transaction.docChanged ? value.map(transaction.changes) : value;
  },
  provide: (field) => EditorView.decorations.from(field),
});
