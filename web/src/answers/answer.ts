// The answer of a cell: what has come of running it, in one element that lives as long as the cell.

import { button, h } from "../dom.ts";
import type { Event, Progress, Sight, Summary, Value } from "../engine/messages.ts";
import { findingElement } from "../editor/help.ts";
import { Match } from "../play/match.ts";
import { valueElement } from "./value.ts";

export type State = "waiting" | "running" | "done" | "failed" | "stale";

// What answers need of the sheet that they stand in.
export interface Host {
  // Stops the request that an answer waits for.
  stop(answer: Answer): void;
  // Plays the match in a cell again, with these answers of the user's.
  play(answer: Answer, answers: string[]): void;
  // Writes a new cell below an answer's, and goes there.
  addCell(answer: Answer | null, text: string): void;
  // The value of an expression where the names of the worksheet are known; null if the engine is busy.
  ask(text: string): Promise<Value | null>;
  // An answer has become higher or lower.
  measure(): void;
}

// After so many milliseconds a page without a server says who is quicker.
const PATIENCE = 8000;

// What comes within so many milliseconds needs no announcement.
const AT_ONCE = 150;

export class Answer {
  readonly dom: HTMLElement;
  readonly host: Host;
  // What the cell and all that it needs said when this was run.
  key = "";
  // The request that it waits for.
  request: number | null = null;
  seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
  height = -1;
  private begun = performance.now();
  private status: State = "waiting";
  private isStale = false;
  private readonly body: HTMLElement;
  private readonly line: HTMLElement;
  private checks = 0;
  private checksLine: HTMLElement | null = null;
  private match: Match | null = null;
  private values = 0;
  private timer = 0;

  constructor(host: Host) {
    this.host = host;
    this.body = h("div", { class: "outputs" });
    this.line = h("div", { class: "working" });
    this.dom = h("div", { class: "answer waiting", role: "group", "aria-label": "Answer" }, this.line, this.body);
    new ResizeObserver(() => {
      this.height = this.dom.offsetHeight;
      host.measure();
    }).observe(this.dom);
    // Help under the pointer is about the program.
    this.dom.addEventListener("mousemove", (event) => event.stopPropagation());
    this.waits(0);
  }

  get state(): State {
    return this.isStale && this.status !== "waiting" && this.status !== "running" ? "stale" : this.status;
  }

  get isOpen(): boolean {
    return this.status === "waiting" || this.status === "running";
  }

  get isEmpty(): boolean {
    return this.body.childElementCount === 0;
  }

  // Whether anything it was made from says something else now.
  setStale(isStale: boolean): void {
    if (isStale === this.isStale) return;
    this.isStale = isStale;
    this.mark();
  }

  private mark(): void {
    this.dom.className = `answer ${this.state}`;
    if (this.state === "stale") this.line.replaceChildren("Out of date");
    else if (!this.isOpen) this.line.replaceChildren();
  }

  // It waits for others, of which so many wait too and go before it.
  waits(before: number): void {
    this.soon(() => this.work(before === 0 ? "Queued" : `Queued behind ${before} more`, "pause"));
  }

  // It is run now, of this text.
  begins(key: string): void {
    this.key = key;
    this.status = "running";
    this.begun = performance.now();
    this.mark();
    this.soon(() => this.work("begins"));
  }

  // Says what it waits for, unless that comes at once.
  private soon(say: () => void): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.isOpen && say(), AT_ONCE);
  }

  // What is being done, with a way to stop it.
  private work(text: string, share?: number | "pause"): void {
    const bar = share === "pause" ? null : h("progress", share === undefined ? { "aria-label": text } : { value: share, max: 1, "aria-label": text });
    const label = share === "pause" ? "Cancel" : "Stop";
    this.line.replaceChildren(...(bar ? [bar] : []), h("span", {}, text), button(label, () => this.host.stop(this), { title: "Ctrl-." }));
  }

  progress({ stage, done, total }: Progress): void {
    if (!this.isOpen) return;
    this.status = "running";
    this.mark();
    clearTimeout(this.timer);
    const share = total ? done / total : undefined;
    const told = share === undefined ? `${stage}: ${done.toLocaleString("en")}` : `${stage}: ${Math.floor(share * 100)} %`;
    const isLong = STATIC_PAGE && performance.now() - this.begun > PATIENCE;
    this.work(isLong ? `${told} — one thread works here; bid serve takes all` : told, share);
  }

  take(event: Event): void {
    if (event.event === "progress") return this.progress(event);
    if (event.event === "value") this.value(event);
    else if (event.event === "check") this.check(event.failed ? findingElement(event.failed) : null);
    else if (event.event === "finding") this.add(findingElement(event.finding), event.finding.severity === "error");
    else if (event.event === "seen") this.seen(event.sight);
    else if (event.event === "test" && event.phase === "skipped") this.add(h("div", {}, `passed over: ${event.name}`));
    else if (event.event === "lost") this.add(h("div", { class: "finding error" }, "The engine was started anew: run this again."), true);
  }

  private add(element: HTMLElement, isFailure = false): void {
    if (isFailure) this.status = "failed";
    this.body.append(element);
  }

  private value(event: Value): void {
    // A match that waits for an answer is told as stopped.
    if (this.match?.isWaiting) return;
    this.values += 1;
    this.add(valueElement(event, this));
  }

  private check(failed: HTMLElement | null): void {
    if (failed) return this.add(failed, true);
    this.checks += 1;
    if (!this.checksLine) this.body.append((this.checksLine = h("div", { class: "held" })));
    this.checksLine.textContent = this.checks === 1 ? "✓ holds" : `✓ ${this.checks} checks hold`;
  }

  private seen(sight: Sight): void {
    if (!this.match) {
      this.match = new Match((answers) => this.host.play(this, answers), this.host);
      this.body.append(this.match.dom);
    }
    this.match.see(sight);
  }

  // A match is played again from its beginning.
  replay(): void {
    this.match?.rewind();
    for (const child of [...this.body.children]) if (child !== this.match?.dom) child.remove();
    [this.status, this.values] = ["waiting", 0];
    this.mark();
  }

  done(summary: Summary | null): void {
    this.request = null;
    if (this.isOpen) this.status = summary && summary.errors + summary.failed_checks === 0 && !summary.stopped ? "done" : "failed";
    this.line.replaceChildren();
    this.match?.settle();
    this.mark();
  }
}
