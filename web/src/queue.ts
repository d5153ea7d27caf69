// Which cells run, and which wait. Cells run one after another; one that is run by itself while another has been running for a while runs
// beside it, so that long work keeps nobody from asking something short.

import type { Answer } from "./answers/answer.ts";
import type { Bench } from "./engine/messages.ts";

// A cell that is to be run, with what the user has answered if it is a match.
export type Job = {
  answer: Answer;
  answers: string[];
  // Whether it was asked for by itself: together with others it waits for those, which may solve what it needs.
  isAlone: boolean;
};

// After so many milliseconds others need not wait.
const PATIENCE = 1000;

export class Queue {
  private readonly waiting: Job[] = [];
  private readonly running = new Map<Bench, { job: Job; begun: number }>();
  private timer = 0;
  private isStarting = false;
  // Resolves when a job can be started; false if the worksheet is another one by then.
  private readonly ready: () => Promise<boolean>;
  private readonly start: (job: Job, bench: Bench) => void;

  constructor(ready: () => Promise<boolean>, start: (job: Job, bench: Bench) => void) {
    [this.ready, this.start] = [ready, start];
  }

  get size(): number {
    return this.waiting.length;
  }

  // A bench where something can be asked at once.
  get freeBench(): Bench | null {
    return (["request", "beside"] as const).find((bench) => !this.running.has(bench)) ?? null;
  }

  // What is asked by itself goes before what was asked for with others.
  add(job: Job): void {
    const at = job.isAlone ? this.waiting.findIndex((other) => !other.isAlone) : -1;
    this.waiting.splice(at < 0 ? this.waiting.length : at, 0, job);
    void this.go();
  }

  // Takes a job out that has not begun; false if it has.
  drop(answer: Answer): boolean {
    const at = this.waiting.findIndex((job) => job.answer === answer);
    if (at < 0) return false;
    this.waiting.splice(at, 1);
    this.tell();
    return true;
  }

  ended(answer: Answer): void {
    for (const [bench, { job }] of this.running) if (job.answer === answer) this.running.delete(bench);
    void this.go();
  }

  private async go(): Promise<void> {
    this.tell();
    if (this.isStarting) return;
    this.isStarting = true;
    while (this.next() && (await this.ready())) {
      const found = this.next();
      if (!found) break;
      this.waiting.splice(this.waiting.indexOf(found.job), 1);
      this.running.set(found.bench, { job: found.job, begun: performance.now() });
      this.start(found.job, found.bench);
      this.tell();
    }
    this.isStarting = false;
    this.look();
  }

  // The job that can begin now.
  private next(): { job: Job; bench: Bench } | null {
    const [first] = this.waiting;
    if (!first) return null;
    if (!this.running.has("request")) return { job: first, bench: "request" };
    const { begun } = this.running.get("request")!;
    const isLong = performance.now() - begun >= PATIENCE;
    return first.isAlone && isLong && !this.running.has("beside") ? { job: first, bench: "beside" } : null;
  }

  // Looks again when what runs has run for long.
  private look(): void {
    clearTimeout(this.timer);
    const long = this.running.get("request");
    if (!long || !this.waiting[0]?.isAlone || this.running.has("beside")) return;
    this.timer = window.setTimeout(() => void this.go(), Math.max(0, long.begun + PATIENCE - performance.now()) + 1);
  }

  private tell(): void {
    this.waiting.forEach(({ answer }, at) => answer.waits(at));
  }
}
