// The rows of a long table that are in sight, between two fillers as high as those that are not.

import { h } from "../dom.ts";

export interface Row {
  readonly element: HTMLTableRowElement;
  // What it is sorted by.
  key(column: number): number | string;
}

// So many rows are drawn above and below what is in sight.
const MARGIN = 20;

export class Window {
  private readonly frame: HTMLElement;
  private readonly table: HTMLTableElement;
  private rows: Row[] = [];
  private first = -1;
  private height = 27;

  constructor(frame: HTMLElement, table: HTMLTableElement) {
    [this.frame, this.table] = [frame, table];
    frame.classList.add("window");
    frame.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.redraw()).observe(frame);
  }

  show(rows: Row[]): void {
    this.rows = rows;
    this.table.setAttribute("aria-rowcount", String(rows.length + 1));
    this.redraw();
  }

  private redraw(): void {
    this.first = -1;
    const drawn = this.table.tBodies[0]!.rows[1];
    if (drawn && drawn.offsetHeight > 0) this.height = drawn.offsetHeight;
    this.draw();
  }

  private draw(): void {
    const sight = Math.ceil((this.frame.clientHeight || 480) / this.height) + 2 * MARGIN;
    const first = Math.max(0, Math.min(Math.floor(this.frame.scrollTop / this.height) - MARGIN, this.rows.length - sight));
    if (this.first >= 0 && Math.abs(first - this.first) < MARGIN / 2 && !(first !== this.first && (first === 0 || first === this.rows.length - sight))) return;
    this.first = first;
    const last = Math.min(first + sight, this.rows.length);
    const drawn = this.rows.slice(first, last).map((row) => row.element);
    drawn.forEach((row, at) => row.setAttribute("aria-rowindex", String(first + at + 2)));
    this.table.tBodies[0]!.replaceChildren(filler(first * this.height), ...drawn, filler((this.rows.length - last) * this.height));
  }
}

function filler(height: number): HTMLTableRowElement {
  const cell = h("td", { colspan: 99 });
  cell.style.height = `${height}px`;
  cell.style.padding = "0";
  return h("tr", { class: "filler", "aria-hidden": "true" }, cell);
}
