// What has happened in a match, in words.

import { differences } from "../board.ts";
import { h } from "../dom.ts";
import type { Player, Sight, Why } from "../engine/messages.ts";

type Position = Extract<Sight, { sight: "position" }>;

export type Turn = { before: Position; after?: Position; lines: string[] };

export function title(player: Player): string {
  return player === "alice" ? "Alice" : "Bob";
}

export function other(player: Player): Player {
  return player === "alice" ? "bob" : "alice";
}

const REASONS: Record<Why, string> = {
  higher: "with the higher bid",
  alone: "as nobody else can move",
  rule: "the tie, by the rules",
  coin: "the tie, by the coin",
  advantage_used: "the tie, using the advantage",
  advantage_kept: "the tie, as the advantage is kept",
};

// A sight in words; nothing for what is drawn.
export function said(sight: Sight, you: Player): string | null {
  const who = (player: Player) => (player === you ? "you" : title(player));
  switch (sight.sight) {
    case "bids":
      return `you bid ${sight.bids[you]}, ${title(other(you))} bids ${sight.bids[other(you)]}`;
    case "won":
      return `${who(sight.player)} ${sight.player === you ? "win" : "wins"} ${sight.why === "higher" || sight.why === "alone" ? `the bid ${REASONS[sight.why]}` : REASONS[sight.why]}`;
    case "moved":
      return `${who(sight.player)} ${sight.player === you ? "move" : "moves"}: ${sight.action || `to ${sight.position}`}`;
    default:
      return null;
  }
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
