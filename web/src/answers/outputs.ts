// What an answer shows. It outlives a run that is stopped: the answer of the next run takes it over.

import { h } from "../dom.ts";
import { findingElement } from "../editor/help.ts";
import type { Finding, Sight, Value } from "../engine/messages.ts";
import { Match } from "../play/match.ts";
import type { Answer } from "./answer.ts";
import { valueElement } from "./value.ts";

export class Outputs {
  readonly dom = h("div", { class: "outputs" });
  // The answer that shows this now.
  owner: Answer;
  private checks = 0;
  private checksLine: HTMLElement | null = null;
  private match: Match | null = null;

  constructor(owner: Answer) {
    this.owner = owner;
  }

  get isEmpty(): boolean {
    return this.dom.childElementCount === 0;
  }

  add(...parts: (HTMLElement | string)[]): void {
    this.dom.append(...parts);
  }

  finding(finding: Finding): void {
    const element = findingElement(finding);
    element.dataset["drawn"] = finding.drawn;
    this.add(element);
  }

  // `source` is the text of the cell, which says what a value without a label is of.
  value(event: Value, source: string): void {
    // A match that waits for an answer is told as stopped; one that is over has told its result.
    if (this.match?.hasSaid) return;
    this.add(valueElement(event, source, this));
  }

  holds(): void {
    this.checks += 1;
    if (!this.checksLine) this.add((this.checksLine = h("div", { class: "held" })));
    this.checksLine.textContent = this.checks === 1 ? "✓ holds" : `✓ ${this.checks} checks hold`;
  }

  see(sight: Sight): void {
    if (!this.match) {
      this.match = new Match((answers) => this.owner.host.play(this.owner, answers), this.owner.host);
      this.add(this.match.dom);
    }
    this.match.see(sight);
  }

  // A match is played again from its beginning.
  rewind(): void {
    this.match?.rewind();
    for (const child of [...this.dom.children]) if (child !== this.match?.dom) child.remove();
  }

  settle(): void {
    this.match?.settle();
  }
}
