// The outline of a worksheet: its headings, and what it defines. A click goes there.

import { button, h } from "./dom.ts";
import { outlineOf } from "./editor/outline.ts";
import type { Sheet } from "./sheet.ts";

export class Outline {
  readonly button: HTMLButtonElement;
  private readonly panel: HTMLElement;
  private readonly sheet: Sheet;

  constructor(panel: HTMLElement, sheet: Sheet) {
    [this.panel, this.sheet] = [panel, sheet];
    this.button = button("Outline", () => this.toggle(), { "aria-expanded": "false", "aria-controls": "outline", title: "Headings and definitions" });
    sheet.onFound = () => this.draw();
  }

  private toggle(): void {
    this.panel.hidden = !this.panel.hidden;
    this.button.setAttribute("aria-expanded", String(!this.panel.hidden));
    this.draw();
    if (!this.panel.hidden) this.panel.querySelector("button")?.focus();
  }

  private draw(): void {
    if (this.panel.hidden) return;
    const items = outlineOf(this.sheet.view.state);
    const go = (pos: number) => () => {
      // Over a narrow page the outline would hide where it leads.
      if (getComputedStyle(this.panel).position === "absolute") this.toggle();
      this.sheet.goTo(pos);
    };
    const entries = items.map(({ pos, kind, words }) => h("li", { class: kind }, button(words, go(pos), { class: "quiet" })));
    this.panel.replaceChildren(entries.length > 0 ? h("ul", {}, ...entries) : h("p", {}, "Headings (// # Heading) and definitions will appear here."));
  }
}
