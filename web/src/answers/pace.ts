// How far work has come, and how long the rest will take if it is as fast as what was watched: as the terminal tells it.

import type { Progress } from "../engine/messages.ts";

// The time left is told once a stage has been watched for so many milliseconds, and one part in so many of its rest has been done.
const WATCHED = 2000;
const PART = 100;

export class Pace {
  private stage = "";
  // When the stage was first seen, and how far it was then: work that is gone on with does not begin at 0.
  private began = { time: 0, done: 0 };

  told({ stage, done, total }: Progress): string {
    const time = performance.now();
    if (stage !== this.stage || done < this.began.done) [this.stage, this.began] = [stage, { time, done }];
    if (!total) return `${stage}: ${done.toLocaleString("en")}`;
    const left = timeLeft(this.began, { time, done }, total);
    return `${stage}: ${Math.floor((100 * done) / total)} %${left === null ? "" : `, ${inWords(left)} left`}`;
  }
}

type Moment = { time: number; done: number };

// The milliseconds that are left; null before enough has been watched.
export function timeLeft(began: Moment, now: Moment, total: number): number | null {
  const [time, watched] = [now.time - began.time, now.done - began.done];
  if (time < WATCHED || watched <= 0 || watched < (total - began.done) / PART) return null;
  return (time * Math.max(0, total - now.done)) / watched;
}

function inWords(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
