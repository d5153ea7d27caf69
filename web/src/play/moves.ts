// The moves of a match: cells of a board that can be clicked, or vertices around the one where the match stands.

import { activate, type Board, differences, draw, type Joins } from "../board.ts";
import { button, h, s } from "../dom.ts";
import type { Offer, Player, Sight } from "../engine/messages.ts";
import { title } from "./words.ts";

type Position = Extract<Sight, { sight: "position" }>;

// `deciding` is the end of a match, with the cells that have decided it.
export type Choices = {
  offers: Offer[];
  choose: (answer: string) => void;
  showsHint: boolean;
  width: number;
  deciding: Extract<Sight, { sight: "over" }> | null;
};

type Changed = { offer: Offer; cells: [number, number][] };

const MOST_VERTICES = 40;

// The moves that a click on a cell may mean: those that change it; in a column in which one piece can fall, that one.
function meant(changed: Changed[], row: number, col: number): Changed[] {
  const exact = changed.filter(({ cells }) => cells.some(([y, x]) => y === row && x === col));
  if (exact.length > 0) return exact;
  const inColumn = changed.filter(({ cells }) => cells.length === 1 && cells[0]![1] === col);
  const isFalling = changed.every(({ cells }) => cells.length === 1) && new Set(changed.map(({ cells }) => cells[0]?.[1])).size === changed.length;
  return isFalling ? inColumn : [];
}

export function boardElement(board: Board, position: Position, { offers, choose, showsHint, width, deciding }: Choices): HTMLElement {
  const changed = offers.map((offer) => ({ offer, cells: differences(position.position, offer.position) }));
  const rest = h("div", { class: "several" });
  const across = board.rows[0]!.length + (board.hexagons ? board.rows.length / 2 : 0);
  const cell = Math.max(20, Math.min(64, (width - 8) / across));
  let isFirst = true;
  const picture = draw(board, cell, (row, col) => {
    if (deciding?.cells.includes(row * board.rows[0]!.length + col)) return { mark: "deciding", label: "it has decided the match" };
    const found = meant(changed, row, col);
    if (found.length === 0) return {};
    const isAdvised = showsHint && found.some(({ offer }) => offer.is_advised);
    const act = () => {
      if (found.length === 1) return choose(found[0]!.offer.answer);
      const pick = ({ offer }: Changed) => button(offer.action || offer.position, () => choose(offer.answer));
      rest.replaceChildren(h("p", {}, "Which of these?"), ...found.map(pick));
      rest.querySelector("button")?.focus();
    };
    const label = found.length === 1 ? found[0]!.offer.action || "move here" : "several moves";
    return { act, label, mark: isAdvised ? "advised" : "" };
  });
  for (const open of picture.querySelectorAll("g.open")) {
    if (isFirst) open.setAttribute("data-first", "");
    isFirst = false;
  }
  picture.setAttribute("aria-label", "The board");
  picture.addEventListener("keydown", (event) => walk(picture, event as KeyboardEvent, board.rows[0]!.length));
  // Moves that no cell shows, as passing.
  const silent = changed.filter(({ cells }) => cells.length === 0);
  return h("div", { class: "place" }, picture as unknown as HTMLElement, goals(board.joins), rest, ...silent.map(({ offer }) => button(offer.action, () => choose(offer.answer))));
}

// Who wins by joining which sides.
function goals(joins: Joins | undefined): HTMLElement | null {
  const goal = (player: Player) => {
    const sides = joins?.[player] ?? [];
    return sides.length > 0 ? [h("b", { class: player }, title(player)), ` joins ${sides.join(" and ")}. `] : [];
  };
  const words = [...goal("alice"), ...goal("bob")];
  return words.length > 0 ? h("p", { class: "goals" }, ...words) : null;
}

// Arrow keys go from cell to cell.
function walk(picture: Element, event: KeyboardEvent, cols: number): void {
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -cols, ArrowDown: cols };
  const step = steps[event.key];
  const cells = [...picture.querySelectorAll<SVGElement>("g.cell")];
  let at = cells.indexOf(document.activeElement as SVGElement);
  if (step === undefined || at < 0) return;
  event.preventDefault();
  for (at += step; at >= 0 && at < cells.length; at += step) {
    if (cells[at]!.classList.contains("open")) return cells[at]!.focus();
  }
}

// Where a match stands that has no board: the vertex, and around it those that can be moved to.
export function offersElement(position: Position, { offers, choose, showsHint }: Choices): HTMLElement {
  const list = h(
    "div",
    { class: "offers" },
    ...offers.map((offer) => button(offer.action ? `${offer.action} to ${offer.position}` : offer.position, () => choose(offer.answer), { class: showsHint && offer.is_advised ? "advised" : "" })),
  );
  if (offers.length > MOST_VERTICES || offers.some((offer) => offer.position.length > 24)) {
    return h("div", { class: "place" }, h("div", { class: "here" }, position.position), list);
  }
  const [size, radius] = [280, 100];
  const picture = s("svg", { class: "star", width: size, height: size, viewBox: `0 0 ${size} ${size}`, role: "group", "aria-label": "Moves" });
  const vertex = (x: number, y: number, text: string, kind: string) => {
    const width = Math.max(34, text.length * 8 + 14);
    return s("g", { class: `node ${kind}` }, s("rect", { x: x - width / 2, y: y - 14, width, height: 28, rx: 14 }), s("text", { x, y: y + 4 }, text));
  };
  const middle = size / 2;
  offers.forEach((offer, at) => {
    const angle = (2 * Math.PI * at) / offers.length - Math.PI / 2;
    const [x, y] = [middle + radius * Math.cos(angle), middle + radius * Math.sin(angle)];
    picture.append(s("line", { x1: middle, y1: middle, x2: x, y2: y }));
    const node = vertex(x, y, offer.position, showsHint && offer.is_advised ? "advised" : "");
    node.setAttribute("aria-label", `move to ${offer.position}`);
    activate(node, () => choose(offer.answer));
    if (at === 0) node.setAttribute("data-first", "");
    picture.append(node);
  });
  picture.append(vertex(middle, middle, position.position, "here"));
  return h("div", { class: "place" }, picture as unknown as HTMLElement);
}
