// The answer of a cell: what has come of running it, in one element.

import { button, h } from "../dom.ts";
import type { Event, Progress, Summary, Value } from "../engine/messages.ts";
import { Outputs } from "./outputs.ts";
import { Pace } from "./pace.ts";

export type State = "waiting" | "running" | "done" | "failed" | "stopped" | "stale";

// What answers need of the sheet that they stand in.
export interface Host {
  // Stops the request that an answer waits for.
  stop(answer: Answer): void;
  // Plays the match in a cell again, with these answers of the user's.
  play(answer: Answer, answers: string[]): void;
  // Writes a new cell below an answer's, and goes there.
  addCell(answer: Answer | null, text: string): void;
  // The value of an expression where the names of the worksheet are known; null if the engine is busy, or the signal stops it.
  ask(text: string, signal: AbortSignal): Promise<Value | null>;
  // An answer has become higher or lower.
  measure(): void;
}

// After so many milliseconds a page without a server says who is quicker.
const PATIENCE = 8000;

// What comes within so many milliseconds needs no announcement.
const AT_ONCE = 150;

// A run that took so many milliseconds says how long it took.
const WORTH_TELLING = 1000;

// The code of work that the user has stopped.
const INTERRUPTED = "E0904";

// What a run has left, which the next run of the cell leaves there until it has something to show.
type Result = { outputs: Outputs; status: State; key: string; seed: number };

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
  private isInterrupted = false;
  private hasFailed = false;
  // How long the run took, if that is worth telling.
  private took = "";
  private outputs: Outputs;
  // What the cell has shown before, as long as it is in sight.
  private before: Result | null;
  // The text of the cell.
  private source = "";
  private readonly line = h("div", { class: "working" });
  private readonly bar = h("progress", { max: 1 });
  private readonly told = h("span");
  private readonly stopper = button("Stop", () => this.host.stop(this), { title: "Ctrl-." });
  private readonly pace = new Pace();
  private timer = 0;

  // The answer of a cell, in the place of the one before, if there is one.
  constructor(host: Host, before: Answer | null) {
    this.host = host;
    this.outputs = new Outputs(this);
    this.before = before?.giveResult() ?? null;
    if (this.before) this.before.outputs.owner = this;
    this.dom = h("div", { class: "answer", role: "group", "aria-label": "Answer" }, this.line, (this.before?.outputs ?? this.outputs).dom);
    new ResizeObserver(() => {
      this.height = this.dom.offsetHeight;
      host.measure();
    }).observe(this.dom);
    // Help under the pointer is about the program.
    this.dom.addEventListener("mousemove", (event) => event.stopPropagation());
    this.mark();
    this.waits(0);
  }

  // Gives away what the last run that was not stopped has left, if anything.
  private giveResult(): Result | null {
    if (this.isOpen) {
      const { before } = this;
      this.before = null;
      return before;
    }
    const { outputs, status, key, seed } = this;
    return outputs.isEmpty ? null : { outputs, status, key, seed };
  }

  get state(): State {
    return this.isStale && !this.isOpen ? "stale" : this.status;
  }

  get isOpen(): boolean {
    return this.status === "waiting" || this.status === "running";
  }

  // Whether nothing is to be seen of it.
  get isSilent(): boolean {
    return this.outputs.isEmpty && this.status === "done";
  }

  // Whether anything it was made from says something else now.
  setStale(isStale: boolean): void {
    if (isStale === this.isStale) return;
    this.isStale = isStale;
    this.mark();
  }

  private mark(): void {
    this.dom.className = `answer ${this.state}${this.before ? " again" : ""}`;
    if (this.isOpen) return;
    const said = [this.isInterrupted && "Stopped", this.isStale && "Out of date", this.took].filter(Boolean).join(" · ");
    this.line.replaceChildren(...(said ? [said] : []));
  }

  // It waits for others, of which so many wait too and go before it.
  waits(before: number): void {
    this.soon(() => this.work(before === 0 ? "Queued" : `Queued behind ${before} more`, "pause"));
  }

  // It is run now, of this text.
  begins(key: string, source: string): void {
    [this.key, this.source] = [key, source];
    this.status = "running";
    this.begun = performance.now();
    this.mark();
    this.soon(() => this.work("Starting"));
  }

  // Says what it waits for, unless that comes at once. If it says something already, that is no longer true.
  private soon(say: () => void): void {
    clearTimeout(this.timer);
    if (this.stopper.parentElement === this.line) say();
    else this.timer = window.setTimeout(() => this.isOpen && say(), AT_ONCE);
  }

  // What is being done, with a way to stop it.
  private work(text: string, share?: number | "pause"): void {
    this.stopper.textContent = share === "pause" ? "Cancel" : "Stop";
    this.told.textContent = text;
    this.bar.hidden = share === "pause";
    this.bar.setAttribute("aria-label", text);
    if (typeof share === "number") this.bar.value = share;
    else this.bar.removeAttribute("value");
    // The parts stay, so that a click that has begun on the button ends there.
    if (this.stopper.parentElement !== this.line) this.line.replaceChildren(this.bar, this.told, this.stopper);
  }

  // How far the work has come, with the time left.
  progress(progress: Progress): string {
    const told = this.pace.told(progress);
    if (!this.isOpen) return told;
    this.status = "running";
    this.mark();
    clearTimeout(this.timer);
    const isLong = STATIC_PAGE && performance.now() - this.begun > PATIENCE;
    this.work(isLong ? `${told} — one thread works here; bid serve uses all` : told, progress.total ? progress.done / progress.total : undefined);
    return told;
  }

  take(event: Event): void {
    if (event.event === "value") this.shown.value(event, this.source);
    else if (event.event === "check" && event.failed) this.failed().finding(event.failed);
    else if (event.event === "check") this.shown.holds();
    else if (event.event === "finding" && event.finding.code === INTERRUPTED) this.isInterrupted = true;
    else if (event.event === "finding") (event.finding.severity === "error" ? this.failed() : this.shown).finding(event.finding);
    else if (event.event === "seen") this.shown.see(event.sight);
    else if (event.event === "test" && event.phase === "skipped") this.shown.add(h("div", {}, `Not run: ${event.name}`));
    else if (event.event === "lost") this.failed().add(h("div", { class: "finding error" }, "The engine was restarted: run this cell again."));
  }

  // Where something new is shown: what was there before goes.
  private get shown(): Outputs {
    if (this.before) {
      this.before.outputs.dom.replaceWith(this.outputs.dom);
      this.before = null;
      this.mark();
    }
    return this.outputs;
  }

  private failed(): Outputs {
    this.hasFailed = true;
    return this.shown;
  }

  // A match is played again from its beginning.
  replay(): void {
    this.outputs.rewind();
    this.status = "waiting";
    [this.isInterrupted, this.hasFailed, this.took] = [false, false, ""];
    this.mark();
  }

  // It waits no longer, and was never run: what was there before stays.
  cancelled(): void {
    this.end("done", true);
  }

  done(summary: Summary | null): void {
    const isGood = summary !== null && summary.errors + summary.failed_checks === 0 && !summary.stopped && !this.hasFailed;
    const time = performance.now() - this.begun;
    if (!this.isInterrupted && time >= WORTH_TELLING) this.took = `${(time / 1000).toFixed(1)} s`;
    this.end(isGood ? "done" : this.isInterrupted ? "stopped" : "failed", this.isInterrupted);
  }

  // The run is over. If it has shown nothing, what was there before may stay.
  private end(status: State, keepsBefore: boolean): void {
    this.request = null;
    if (this.isOpen) {
      this.status = status;
      if (this.before && keepsBefore) ({ outputs: this.outputs, status: this.status, key: this.key, seed: this.seed } = this.before);
      else this.before?.outputs.dom.replaceWith(this.outputs.dom);
      this.before = null;
    }
    this.outputs.settle();
    this.mark();
  }
}
