// Tables that are sorted by a click on a head, whose heads stay in sight, and of which only the rows in sight are drawn.

import { button, h } from "../dom.ts";

// From so many rows on, rows out of sight are left out.
const MANY = 60;
const MARGIN = 20;

// So many pieces of a table that goes across stay as they are.
const FEW_PARTS = 3;

export function enliven(body: HTMLElement): void {
  for (const group of parts(body)) {
    if (!group[0]!.tHead || (isAcross(group[0]!) && group.length <= FEW_PARTS)) {
      for (const table of group) wrap(table, table);
      continue;
    }
    const table = isAcross(group[0]!) ? turned(group) : group[0]!;
    const frame = wrap(group[0]!, table);
    for (const other of group.slice(1)) other.remove();
    sortable(table, frame);
  }
}

// Tables that go on from one to the next: rows with heads, which have the same names.
function parts(body: HTMLElement): HTMLTableElement[][] {
  const groups: HTMLTableElement[][] = [];
  const heads = (table: HTMLTableElement) => [...table.querySelectorAll("tbody th")].map((head) => head.textContent).join("\0");
  for (const table of body.querySelectorAll("table")) {
    if (table.parentElement?.closest("table")) continue;
    const last = groups.at(-1)?.[0];
    const goesOn = last && last.tHead && table.tHead && heads(table) !== "" && heads(last) === heads(table);
    if (goesOn) groups.at(-1)!.push(table);
    else groups.push([table]);
  }
  return groups;
}

// Whether values go across: their rows have heads.
function isAcross(table: HTMLTableElement): boolean {
  return table.tHead !== null && table.querySelector("tbody th") !== null;
}

// Values that go across in pieces, one below the other: the parameter goes down, and each row becomes a column.
function turned(group: HTMLTableElement[]): HTMLTableElement {
  const first = group[0]!;
  const corner = first.tHead!.rows[0]!.cells[0]!;
  const rows = [...first.tBodies[0]!.rows];
  const head = h("tr", {}, h("th", { scope: "col" }, ...corner.childNodes), ...rows.map((row) => h("th", { scope: "col" }, ...row.cells[0]!.childNodes)));
  const body = h("tbody");
  for (const table of group) {
    const heads = [...table.tHead!.rows[0]!.cells].slice(1);
    const values = [...table.tBodies[0]!.rows].map((row) => [...row.cells].slice(1));
    heads.forEach((name, at) => body.append(h("tr", {}, h("th", { scope: "row" }, ...name.childNodes), ...values.map((row) => row[at]!))));
  }
  return h("table", {}, h("thead", {}, head), body);
}

function wrap(at: HTMLElement, table: HTMLTableElement): HTMLElement {
  const frame = h("div", { class: "grid", tabindex: "0", role: "region", "aria-label": "Table" });
  at.replaceWith(frame);
  frame.append(table);
  return frame;
}

type Sorting = { column: number; isDown: boolean } | null;

function sortable(table: HTMLTableElement, frame: HTMLElement): void {
  const body = table.tBodies[0]!;
  const original = [...body.rows];
  let rows = original;
  let sorting: Sorting = null;
  const window = original.length > MANY ? new Window(frame, table, body) : null;
  const show = () => (window ? window.show(rows) : body.replaceChildren(...rows));
  const heads = [...table.tHead!.rows[0]!.cells];
  heads.forEach((head, column) => {
    const sort = () => {
      const isDown = sorting?.column === column && !sorting.isDown;
      const isOff = sorting?.column === column && sorting.isDown;
      sorting = isOff ? null : { column, isDown };
      rows = sorting ? sorted(original, sorting) : original;
      heads.forEach((other, at) => other.setAttribute("aria-sort", sorting?.column !== at ? "none" : sorting.isDown ? "descending" : "ascending"));
      show();
    };
    const content = [...head.childNodes];
    const sorter = button("", sort, { class: "sort", title: "Sort by this column" });
    sorter.append(...content);
    head.append(sorter);
    head.setAttribute("aria-sort", "none");
  });
  show();
}

// How large what stands in a cell is; words are compared as words.
function size(row: HTMLTableRowElement, column: number): number | string {
  const cell = row.cells[column];
  const value = cell?.dataset["value"];
  if (value !== undefined) return Number(value);
  const text = cell?.textContent?.trim() ?? "";
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

function sorted(rows: HTMLTableRowElement[], { column, isDown }: { column: number; isDown: boolean }): HTMLTableRowElement[] {
  const sign = isDown ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: size(row, column) }));
  keyed.sort(({ key: a }, { key: b }) => {
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * String(a).localeCompare(String(b), "en", { numeric: true });
  });
  return keyed.map(({ row }) => row);
}

// The rows that are in sight, between two fillers as high as those that are not.
class Window {
  private readonly frame: HTMLElement;
  private readonly table: HTMLTableElement;
  private readonly body: HTMLTableSectionElement;
  private rows: HTMLTableRowElement[] = [];
  private first = -1;
  private height = 26;

  constructor(frame: HTMLElement, table: HTMLTableElement, body: HTMLTableSectionElement) {
    [this.frame, this.table, this.body] = [frame, table, body];
    frame.classList.add("window");
    frame.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.redraw()).observe(frame);
  }

  show(rows: HTMLTableRowElement[]): void {
    this.rows = rows;
    this.table.setAttribute("aria-rowcount", String(rows.length + 1));
    rows.forEach((row, at) => row.setAttribute("aria-rowindex", String(at + 2)));
    this.redraw();
  }

  private redraw(): void {
    this.first = -1;
    const drawn = this.body.rows[1];
    if (drawn && drawn.offsetHeight > 0) this.height = drawn.offsetHeight;
    this.draw();
  }

  private draw(): void {
    const sight = Math.ceil((this.frame.clientHeight || 480) / this.height) + 2 * MARGIN;
    const first = Math.max(0, Math.min(Math.floor(this.frame.scrollTop / this.height) - MARGIN, this.rows.length - sight));
    if (this.first >= 0 && Math.abs(first - this.first) < MARGIN / 2) return;
    this.first = first;
    const last = Math.min(first + sight, this.rows.length);
    const filler = (count: number) => {
      const cell = h("td", { colspan: 99 });
      cell.style.height = `${count * this.height}px`;
      cell.style.padding = "0";
      return h("tr", { class: "filler", "aria-hidden": "true" }, cell);
    };
    this.body.replaceChildren(filler(first), ...this.rows.slice(first, last), filler(this.rows.length - last));
  }
}
