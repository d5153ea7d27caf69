// Positions in answers: under the pointer they show their board and what they are worth; a click writes them into a new cell.

import { activate, boardOf, draw, isBoard, written } from "../board.ts";
import { h } from "../dom.ts";
import type { Data, Value } from "../engine/messages.ts";
import type { Answer } from "./answer.ts";
import type { Outputs } from "./outputs.ts";

export function enliven(body: HTMLElement, value: Value, source: string, outputs: Outputs): void {
  const game = gameOf(value.label ?? source);
  const named = { positions: new Set<string>(), games: new Set<string>() };
  collect(value.value, named);
  const isPosition = (text: string) => isBoard(text) || (value.value.type !== "table" && named.positions.has(text) && text !== "");
  const inGame = (position: string): Place => ({ position, expression: game && expressionOf(game, position) });
  for (const cell of body.querySelectorAll<HTMLElement>("td, td code")) {
    if (cell.childElementCount > 0) continue;
    const text = cell.textContent ?? "";
    // A whole cell, or the end of a sentence: `move place(2, 2) to AB./.A./..A`.
    const position = isPosition(text) ? text : /(?:^|\s)to (\S+)$/.exec(text)?.[1];
    if (position !== undefined && isPosition(position)) attach(wrapEnd(cell, position), inGame(position), outputs);
  }
  // Games among the values, which name their positions themselves.
  for (const code of body.querySelectorAll<HTMLElement>("code")) {
    const text = code.textContent ?? "";
    if (code.childElementCount > 0 || !named.games.has(text) || text.includes("…")) continue;
    const position = /\bat "?([^"]+)"?$/.exec(text)?.[1] ?? text;
    attach(wrapEnd(code, text), { position, expression: /^[\w']+$/.test(text) ? text : `(${text})` }, outputs);
  }
  for (const vertex of body.querySelectorAll<SVGGElement>("g.vertex")) {
    const position = drawnBoard(vertex) ?? drawnText(vertex, named.positions);
    if (position) attach(vertex, inGame(position), outputs);
  }
}

// A position, and the expression that is the game from there on, where the worksheet can name it.
type Place = { position: string; expression: string | null };

function expressionOf(game: string, position: string): string {
  return `${/^[\w']+(\([^()]*\))?$/.test(game) ? game : `(${game})`} at ${written(position)}`;
}

// The end of an element's text in an element of its own.
function wrapEnd(element: HTMLElement, end: string): HTMLElement {
  const text = element.textContent ?? "";
  const inner = h("span", { class: "position" }, end);
  element.replaceChildren(text.slice(0, text.length - end.length), inner);
  return inner;
}

// The positions and games that an answer names.
function collect(data: unknown, into: { positions: Set<string>; games: Set<string> }): void {
  if (Array.isArray(data)) return data.forEach((item) => collect(item, into));
  if (typeof data !== "object" || data === null) return;
  const { type, position, value } = data as Data;
  if (typeof position === "string") into.positions.add(position);
  if (type === "game" && typeof value === "string") into.games.add(value);
  Object.values(data).forEach((item) => collect(item, into));
}

// The game that a question is about: its first argument.
export function gameOf(label: string | null): string | null {
  const inner = /^(?:show\s+)?\w+\(([\s\S]*)$/.exec(label ?? "")?.[1];
  if (inner === undefined) return null;
  let depth = 0;
  for (let at = 0; at < inner.length; at++) {
    const c = inner[at]!;
    if (c === '"') at = inner.indexOf('"', at + 1);
    else if ("([{".includes(c)) depth += 1;
    else if (depth === 0 && (c === "," || c === ")")) return inner.slice(0, at).trim();
    else if (")]}".includes(c)) depth -= 1;
    if (at < 0) return null;
  }
  return null;
}

// The board that a vertex of a diagram draws, read off its cells.
function drawnBoard(vertex: SVGGElement): string | null {
  const cells: { y: number; owner: string }[] = [];
  for (const element of vertex.children) {
    if (element.tagName === "polygon") {
      const ys = (element.getAttribute("points") ?? "").split(" ").map((point) => Number(point.split(",")[1]));
      cells.push({ y: Math.min(...ys), owner: "." });
    } else if (element.tagName === "text" && element.getAttribute("font-weight") === "bold" && cells.length > 0)
      cells.at(-1)!.owner = element.textContent ?? ".";
  }
  let [text, y] = ["", cells[0]?.y ?? 0];
  for (const cell of cells) {
    if (cell.y > y + 2) [text, y] = [`${text}/`, cell.y];
    text += cell.owner;
  }
  return isBoard(text) ? text : null;
}

function drawnText(vertex: SVGGElement, known: Set<string>): string | null {
  const text = vertex.querySelector("text")?.textContent ?? "";
  return known.has(text) ? text : null;
}

let tip: HTMLElement | null = null;

function hide(): void {
  tip?.remove();
  tip = null;
}

function attach(element: Element, { position, expression }: Place, outputs: Outputs): void {
  if (expression) activate(element, () => outputs.owner.host.addCell(outputs.owner, `show f(${expression}, 0..8)`));
  element.setAttribute("aria-label", expression ? `${expression}: write into a new cell` : position);
  let timer = 0;
  const show = () => {
    hide();
    const board = boardOf(position, element.querySelector("polygon")?.getAttribute("points")?.split(" ").length === 6);
    const worth = h("div", { class: "worth" });
    const told = expression ?? position;
    tip = h("div", { class: "tip", role: "tooltip" }, board ? draw(board, 26) : null, h("code", {}, told), worth);
    document.body.append(tip);
    place(tip, element.getBoundingClientRect());
    if (expression) timer = window.setTimeout(() => void ask(expression, outputs.owner, worth, tip!).then(() => tip && place(tip, element.getBoundingClientRect())), 250);
  };
  const leave = () => {
    clearTimeout(timer);
    hide();
  };
  element.addEventListener("pointerenter", show);
  element.addEventListener("focus", show);
  for (const event of ["pointerleave", "blur", "click"]) element.addEventListener(event, leave);
}

async function ask(expression: string, answer: Answer, into: HTMLElement, whole: HTMLElement): Promise<void> {
  const value = await answer.host.ask(`f(${expression}, 0..8)`);
  if (!value || whole !== tip) return;
  into.innerHTML = new Map(value.forms).get("html") ?? "";
  for (const expression of into.querySelectorAll("code")) if (expression.textContent!.startsWith("f(")) expression.textContent = "f";
}

function place(tip: HTMLElement, near: DOMRect): void {
  const { width, height } = tip.getBoundingClientRect();
  const left = Math.max(4, Math.min(near.left, innerWidth - width - 4));
  const top = near.bottom + height + 12 > innerHeight ? Math.max(4, near.top - height - 70) : near.bottom + 6;
  tip.style.left = `${left}px`;
  tip.style.top = `${top}px`;
}
