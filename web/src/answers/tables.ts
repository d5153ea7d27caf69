// Tables that are sorted by a click on a head, whose heads stay in sight, and of which only the rows in sight are drawn.

import { button, h } from "../dom.ts";
import { type Row, Window } from "./window.ts";

// From so many rows on, rows out of sight are left out.
const MANY = 60;

// So many pieces of a table that goes across stay as they are; of more, the parameter goes down and each row becomes a column.
const FEW_PARTS = 3;

const TABLE = /<table>\n<thead>\n<tr>[\s\S]*?<\/tr>\n<\/thead>\n<tbody>\n([\s\S]*?)<\/tbody>\n<\/table>\n/g;
const CELL = /<(t[hd])([^>]*)>([\s\S]*?)<\/\1>/g;

export type Long = { heads: string[]; rows: Row[] };

// Takes a table that goes on in many pieces out of an answer, before it costs anything to draw it.
export function takeLong(html: string): { html: string; long: Long | null } {
  const pieces = [...html.matchAll(TABLE)];
  const isAcross = pieces.every((piece) => piece[1]!.startsWith('<tr><th scope="row">'));
  const isNested = html.split("<table>").length !== pieces.length + 1;
  if (pieces.length <= FEW_PARTS || !isAcross || isNested) return { html, long: null };
  const cells = (text: string) => [...text.matchAll(CELL)];
  let heads: string[] = [];
  const rows: Row[] = [];
  for (const [whole, body] of pieces) {
    const [corner, ...names] = cells(whole.slice(0, whole.indexOf("</thead>")));
    const lines = body!.split("</tr>\n").slice(0, -1).map(cells);
    heads = [corner![3]!, ...lines.map((line) => line[0]![3]!)];
    names.forEach((name, at) => rows.push(new Written(name[3]!, lines.map((line) => line[at + 1]!))));
  }
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  return { html: `${html.slice(0, first.index)}<table></table>${html.slice(last.index + last[0].length)}`, long: { heads, rows } };
}

// A row as it is written, drawn when it is needed.
class Written implements Row {
  private readonly name: string;
  private readonly cells: RegExpExecArray[];
  private drawn: HTMLTableRowElement | null = null;

  constructor(name: string, cells: RegExpExecArray[]) {
    [this.name, this.cells] = [name, cells];
  }

  get element(): HTMLTableRowElement {
    if (this.drawn) return this.drawn;
    const row = h("tr");
    row.innerHTML = `<th scope="row">${this.name}</th>${this.cells.map(([whole]) => whole).join("")}`;
    return (this.drawn = row);
  }

  key(column: number): number | string {
    if (column === 0) return keyOf(undefined, this.name);
    const [, , attributes, text] = this.cells[column - 1]!;
    return keyOf(/data-value="([^"]*)"/.exec(attributes!)?.[1], text!);
  }
}

// A row that is drawn.
class Drawn implements Row {
  readonly element: HTMLTableRowElement;

  constructor(element: HTMLTableRowElement) {
    this.element = element;
  }

  key(column: number): number | string {
    const cell = this.element.cells[column];
    return keyOf(cell?.dataset["value"], cell?.textContent ?? "");
  }
}

// How large what stands in a cell is; words are compared as words.
function keyOf(value: string | undefined, text: string): number | string {
  const word = value ?? text.trim();
  return word !== "" && Number.isFinite(Number(word)) ? Number(word) : word;
}

export function enliven(body: HTMLElement, long: Long | null): void {
  for (const table of [...body.querySelectorAll("table")]) {
    if (table.parentElement?.closest("table")) continue;
    if (long && table.childElementCount === 0) {
      const head = h("tr", {}, ...long.heads.map(() => h("th", { scope: "col" })));
      long.heads.forEach((text, at) => (head.cells[at]!.innerHTML = text));
      table.append(h("thead", {}, head), h("tbody"));
      sortable(table, wrap(table), long.rows);
    } else if (!table.tHead || table.querySelector("tbody th")) wrap(table);
    else sortable(table, wrap(table), [...table.tBodies[0]!.rows].map((row) => new Drawn(row)));
  }
}

function wrap(table: HTMLTableElement): HTMLElement {
  const frame = h("div", { class: "grid", tabindex: "0", role: "region", "aria-label": "Table" });
  const edges = h("div", { class: "edges" }, frame);
  table.replaceWith(edges);
  frame.append(table);
  watchEdges(edges, frame);
  return frame;
}

// Shades the edges behind which a table goes on.
function watchEdges(edges: HTMLElement, frame: HTMLElement): void {
  const look = () => {
    const { scrollLeft, scrollTop, clientWidth, clientHeight, scrollWidth, scrollHeight } = frame;
    edges.classList.toggle("more-left", scrollLeft > 1);
    edges.classList.toggle("more-right", scrollLeft + clientWidth < scrollWidth - 1);
    edges.classList.toggle("more-below", scrollTop + clientHeight < scrollHeight - 1);
  };
  frame.addEventListener("scroll", look, { passive: true });
  const watch = new ResizeObserver(look);
  watch.observe(frame);
  watch.observe(frame.firstElementChild!);
}

type Sorting = { column: number; isDown: boolean } | null;

function sortable(table: HTMLTableElement, frame: HTMLElement, original: Row[]): void {
  const body = table.tBodies[0]!;
  let sorting: Sorting = null;
  const window = original.length > MANY ? new Window(frame, table) : null;
  const show = (rows: Row[]) => (window ? window.show(rows) : body.replaceChildren(...rows.map((row) => row.element)));
  const heads = [...table.tHead!.rows[0]!.cells];
  heads.forEach((head, column) => {
    const sort = () => {
      const isDown = sorting?.column === column && !sorting.isDown;
      const isOff = sorting?.column === column && sorting.isDown;
      sorting = isOff ? null : { column, isDown };
      heads.forEach((other, at) => other.setAttribute("aria-sort", sorting?.column !== at ? "none" : sorting.isDown ? "descending" : "ascending"));
      show(sorting ? sorted(original, sorting) : original);
    };
    const content = [...head.childNodes];
    const name = content.length === 0 ? `Sort by column ${column + 1}` : null;
    const sorter = button("", sort, { class: "sort", title: "Sort by this column", "aria-label": name });
    sorter.append(...content);
    head.append(sorter);
    head.setAttribute("aria-sort", "none");
  });
  show(original);
}

function sorted(rows: Row[], { column, isDown }: { column: number; isDown: boolean }): Row[] {
  const sign = isDown ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: row.key(column) }));
  keyed.sort(({ key: a }, { key: b }) => {
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * String(a).localeCompare(String(b), "en", { numeric: true });
  });
  return keyed.map(({ row }) => row);
}
