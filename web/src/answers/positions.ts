// Positions in answers: under the pointer they show their board and what they are worth; a click writes them into a new cell.

import { activate, boardOf, draw, isBoard, written } from "../board.ts";
import { h } from "../dom.ts";
import type { Data, Value } from "../engine/messages.ts";
import type { Outputs } from "./outputs.ts";

export function enliven(body: HTMLElement, value: Value, source: string, outputs: Outputs): void {
  const subject = subjectOf(value.label ?? source);
  const named = { positions: new Set<string>(), games: new Set<string>() };
  collect(value.value, named);
  const isPosition = (text: string) => isBoard(text) || (value.value.type !== "table" && named.positions.has(text) && text !== "");
  const inGame = (position: string): Place => ({ position, expression: subject && expressionOf(subject.game, position), rules: subject?.rules ?? "" });
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
    attach(wrapEnd(code, text), { position, expression: /^[\w']+$/.test(text) ? text : `(${text})`, rules: "" }, outputs);
  }
  for (const vertex of body.querySelectorAll<SVGGElement>("g.vertex")) {
    const position = drawnBoard(vertex) ?? drawnText(vertex, named.positions);
    if (position) attach(vertex, inGame(position), outputs);
  }
}

// A position; the expression that is the game from there on, where the worksheet can name it; and the rules that it is played under, if these
// are not those of the worksheet.
type Place = { position: string; expression: string | null; rules: string };

// After so many milliseconds a question that nobody waits for is stopped.
const PATIENCE = 1000;

// What a position is worth: in chips, or where the rules have no such answer, in money.
const WORTH = ["f", "R"] as const;

function questionOf(kind: (typeof WORTH)[number], { expression, rules }: Place): string {
  return `${kind === "f" ? `f(${expression}, 0..8)` : `R(${expression})`}${rules && ` ${rules}`}`;
}

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

// The game that a question is about, its first argument, and the rules after `using` under which it is asked.
export function subjectOf(question: string): { game: string; rules: string } | null {
  const inner = /^(?:show\s+)?\w+\(([\s\S]*)$/.exec(question)?.[1];
  if (inner === undefined) return null;
  let [depth, first] = [0, -1];
  for (let at = 0; at < inner.length; at++) {
    const c = inner[at]!;
    if (c === '"') at = inner.indexOf('"', at + 1);
    else if ("([{".includes(c)) depth += 1;
    else if (depth === 0 && c === "," && first < 0) first = at;
    else if (depth === 0 && c === ")") {
      const rest = /^\s*((?:using\b[\s\S]*)?)$/.exec(inner.slice(at + 1))?.[1];
      const game = inner.slice(0, first < 0 ? at : first).trim();
      return rest === undefined || game === "" ? null : { game, rules: rest.trim() };
    } else if (")]}".includes(c)) depth -= 1;
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

// After so many milliseconds the card of a position that is no longer there goes too: nothing tells that the pointer has left it.
const GLANCE = 100;

let tip: HTMLElement | null = null;

function attach(element: Element, subject: Place, outputs: Outputs): void {
  const { position, expression } = subject;
  let kind: (typeof WORTH)[number] = "f";
  if (expression) activate(element, () => outputs.owner.host.addCell(outputs.owner, `show ${questionOf(kind, subject)}`));
  element.setAttribute("aria-label", expression ? `${expression}: write into a new cell` : position);
  let [timer, watch] = [0, 0];
  let asked: { abort: AbortController; begun: number } | null = null;
  const show = () => {
    leave();
    const board = boardOf(position, element.querySelector("polygon")?.getAttribute("points")?.split(" ").length === 6);
    const worth = h("div", { class: "worth" });
    const own = h("div", { class: "tip", role: "tooltip" }, board ? draw(board, 26) : null, h("code", {}, expression ?? position), worth);
    tip = own;
    document.body.append(own);
    place(own, element.getBoundingClientRect());
    const ask = async () => {
      const abort = new AbortController();
      asked = { abort, begun: performance.now() };
      for (const wanted of WORTH) {
        const value = await outputs.owner.host.ask(questionOf(wanted, subject), abort.signal);
        if (own !== tip) return;
        if (!value) continue;
        kind = wanted;
        fill(worth, value);
        return place(own, element.getBoundingClientRect());
      }
    };
    if (expression) timer = window.setTimeout(() => void ask(), 250);
    watch = window.setInterval(() => element.isConnected || leave(), GLANCE);
  };
  const leave = () => {
    clearTimeout(timer);
    clearInterval(watch);
    tip?.remove();
    tip = null;
    // Long work that nobody waits for any more is stopped; short work may end, since stopping costs a browser's engine what it has solved.
    const left = asked;
    asked = null;
    if (left) setTimeout(() => left.abort.abort(), Math.max(0, left.begun + PATIENCE - performance.now()));
  };
  element.addEventListener("pointerenter", show);
  element.addEventListener("focus", show);
  for (const event of ["pointerleave", "blur", "click"]) element.addEventListener(event, leave);
}

function fill(worth: HTMLElement, value: Value): void {
  worth.innerHTML = new Map(value.forms).get("html") ?? "";
  for (const expression of worth.querySelectorAll("code")) if (expression.textContent!.startsWith("f(")) expression.textContent = "f";
}

function place(tip: HTMLElement, near: DOMRect): void {
  const { width, height } = tip.getBoundingClientRect();
  const left = Math.max(4, Math.min(near.left, innerWidth - width - 4));
  const top = near.bottom + height + 12 > innerHeight ? Math.max(4, near.top - height - 70) : near.bottom + 6;
  tip.style.left = `${left}px`;
  tip.style.top = `${top}px`;
}
