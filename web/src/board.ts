// Positions that are boards: rows from the top, a letter a cell, `/` between them. As in `bid::report::DrawnBoard`.

import { s } from "./dom.ts";
import type { Player, Side } from "./engine/messages.ts";

export type Joins = Record<Player, Side[]>;

// `joins` says which sides each player wins by joining, where that is known.
export type Board = { rows: string[]; hexagons: boolean; joins?: Joins };

// Around a board, for the lines along its sides.
const MARGIN = 3;

const NAMES: Record<string, string> = { A: "Alice", B: "Bob", ".": "empty" };

export function boardOf(position: string, hexagons: boolean): Board | null {
  const rows = position.split("/");
  const isRow = (row: string) => row.length === rows[0]!.length && /^[AB.]+$/.test(row);
  return rows[0]!.length + rows.length > 2 && rows.every(isRow) ? { rows, hexagons } : null;
}

export function isBoard(position: string): boolean {
  return boardOf(position, false) !== null;
}

// How a position is written in a program after `at`.
export function written(position: string): string {
  return isBoard(position) ? `"${position}"` : position;
}

// The cells in which two positions differ.
export function differences(before: string, after: string): [row: number, col: number][] {
  const [from, to] = [before.split("/"), after.split("/")];
  const found: [number, number][] = [];
  to.forEach((row, y) => [...row].forEach((cell, x) => cell !== from[y]?.[x] && found.push([y, x])));
  return found;
}

// The edges of a cell that lie on a side of the board, by the number of the corner where each begins.
const EDGES: Record<"squares" | "hexagons", Record<Side, number[]>> = {
  squares: { top: [0], right: [1], bottom: [2], left: [3] },
  hexagons: { top: [3, 4], right: [4, 5], bottom: [0, 1], left: [1, 2] },
};

function isOn(side: Side, row: number, col: number, board: Board): boolean {
  const [lastRow, lastCol] = [board.rows.length - 1, board.rows[0]!.length - 1];
  return { top: row === 0, bottom: row === lastRow, left: col === 0, right: col === lastCol }[side];
}

// The sides that the players are to join, as lines along the board.
function sides(board: Board, corners: (row: number, col: number) => number[][]): SVGElement[] {
  const edges = EDGES[board.hexagons ? "hexagons" : "squares"];
  const lines: SVGElement[] = [];
  for (const player of ["alice", "bob"] as const) {
    for (const side of board.joins?.[player] ?? []) {
      board.rows.forEach((row, y) =>
        [...row].forEach((_, x) => {
          if (!isOn(side, y, x, board)) return;
          const points = corners(y, x);
          // The edge that a corner of the rhombus has on two sides belongs to the top or the bottom.
          const own = edges[side].filter((edge) => !["top", "bottom"].some((other) => other !== side && isOn(other as Side, y, x, board) && edges[other as Side].includes(edge)));
          for (const edge of own) {
            const [[x1, y1], [x2, y2]] = [points[edge]!, points[(edge + 1) % points.length]!];
            lines.push(s("line", { class: `side ${player}`, x1: x1!, y1: y1!, x2: x2!, y2: y2! }));
          }
        }),
      );
    }
  }
  return lines;
}

type CellLook = { act?: () => void; label?: string; mark?: string };

// A board as a picture; cells may be buttons.
export function draw(board: Board, cell: number, look: (row: number, col: number) => CellLook = () => ({})): SVGElement {
  const radius = cell / Math.sqrt(3);
  const middle = (row: number, col: number): [number, number] =>
    board.hexagons ? [cell * (col + row / 2 + 0.5), radius * (1.5 * row + 1)] : [cell * (col + 0.5), cell * (row + 0.5)];
  const corners = ([x, y]: [number, number]) => {
    const half = cell / 2;
    if (!board.hexagons) return [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]];
    return [0, 1, 2, 3, 4, 5].map((sixth) => {
      const angle = ((2 * sixth + 1) * Math.PI) / 6;
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    });
  };
  const [lastRow, lastCol] = [board.rows.length - 1, board.rows[0]!.length - 1];
  const [x, y] = middle(lastRow, lastCol);
  const [width, height] = [x + cell / 2 + 2 * MARGIN, y + (board.hexagons ? radius : cell / 2) + 2 * MARGIN];
  const picture = s("svg", { class: "board", width, height, viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}`, role: "group" });
  board.rows.forEach((row, y) =>
    [...row].forEach((owner, x) => {
      const place = middle(y, x);
      const { act, label, mark } = look(y, x);
      const points = corners(place).map(([x, y]) => `${x!.toFixed(1)},${y!.toFixed(1)}`).join(" ");
      const name = `row ${y + 1}, column ${x + 1}: ${NAMES[owner]}${label ? `; ${label}` : ""}`;
      const group = s("g", { class: `cell ${owner === "." ? "empty" : owner} ${mark ?? ""}`, "aria-label": name }, s("title", {}, name), s("polygon", { points }));
      if (owner !== ".") group.append(s("text", { x: place[0], y: place[1], "font-size": cell * 0.55 }, owner));
      if (act) activate(group, act);
      picture.append(group);
    }),
  );
  picture.append(...sides(board, (row, col) => corners(middle(row, col))));
  return picture;
}

// Makes a part of a picture a button.
export function activate(element: Element, act: () => void): void {
  element.setAttribute("role", "button");
  element.setAttribute("tabindex", "0");
  element.classList.add("open");
  element.addEventListener("click", act);
  element.addEventListener("keydown", (event) => {
    const { key } = event as KeyboardEvent;
    if (key !== "Enter" && key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
}
