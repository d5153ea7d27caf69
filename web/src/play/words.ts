// What has happened in a match, in words.

import { differences } from "../board.ts";
import { h } from "../dom.ts";
import type { Player, Sight } from "../engine/messages.ts";

type Position = Extract<Sight, { sight: "position" }>;

export type Turn = { before: Position; after?: Position; lines: string[] };

export function title(player: Player): string {
  return player === "alice" ? "Alice" : "Bob";
}

export function other(player: Player): Player {
  return player === "alice" ? "bob" : "alice";
}

// A sight in the words that a terminal says, too; nothing for what is drawn, and for the end, which stands beside the board.
export function said(sight: Sight): string | null {
  return "words" in sight && sight.sight !== "over" ? sight.words : null;
}

// Where the board has changed in a turn.
function change(turn: Turn): string {
  if (!turn.after || !turn.after.position.includes("/")) return turn.after ? ` → ${turn.after.position}` : "";
  const cells = differences(turn.before.position, turn.after.position).map(([row, col]) => `(${row}, ${col})`);
  return cells.length > 0 ? ` → ${cells.join(", ")}` : "";
}

export function historyElement(turns: Turn[]): HTMLElement | null {
  if (turns.length === 0) return null;
  const items = turns.map((turn) => h("li", {}, `${turn.lines.join("; ")}${change(turn)}`));
  items.at(-1)?.setAttribute("aria-current", "true");
  const list = h("ol", { class: "history", "aria-label": "What has happened", tabindex: "0" }, ...items);
  queueMicrotask(() => (list.scrollTop = list.scrollHeight));
  return list;
}
