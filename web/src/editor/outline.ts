// Headings and definitions of a text, in order.

import type { EditorState } from "@codemirror/state";
import { cellsField } from "./cells.ts";
import { headingOf } from "./markup.ts";
import { blocksOf } from "./prose.ts";

export type OutlineItem = { pos: number; kind: "title" | "heading" | "definition"; words: string };

export function outlineOf(state: EditorState): OutlineItem[] {
  const items: OutlineItem[] = [];
  for (const block of blocksOf(state)) {
    for (let at = block.from; at <= block.to; at = state.doc.lineAt(at).to + 1) {
      const heading = headingOf(state.doc.lineAt(at).text.replace(/^\s*\/\/\s?/, ""));
      if (heading?.words) items.push({ pos: at, kind: heading.level === 1 ? "title" : "heading", words: heading.words });
    }
  }
  const { cells } = state.field(cellsField);
  for (const { from, defines } of cells) if (defines !== null) items.push({ pos: from, kind: "definition", words: defines });
  return items.sort((a, b) => a.pos - b.pos);
}
