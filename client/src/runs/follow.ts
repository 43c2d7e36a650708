/** How far runs are, from the lines that the headless command prints while it plays them. */
import { isObject } from './child.ts';

/** How a run came out. */
export interface RunEnd {
  readonly folder: string;
  readonly status: string;
  /** Why it was stopped, in a sentence; null when nobody need be told. */
  readonly reason: string | null;
  readonly requested: number;
  readonly scored: number;
  readonly errored: number;
  readonly unfinished: number;
  readonly reward: number | null;
  readonly error: number | null;
}

export class RunFollower {
  /** Folders of the runs that have begun, in their order. */
  readonly folders: string[] = [];
  readonly ends: RunEnd[] = [];
  #total = 0;
  #done = 0;
  #errored = 0;
  #rewards = 0;
  #dollars: number | null = null;
  readonly #began: number;

  /** @param now in ms; time is counted from here. */
  constructor(now: number) {
    this.#began = now;
  }

  /** Takes in a line. What it does not know it leaves alone. */
  take(line: Readonly<Record<string, unknown>>): void {
    const { start, episode, played, done } = line;
    if (isObject(start)) {
      const { folder } = start;
      // Several streams have one address.
      if (typeof folder === 'string' && !this.folders.includes(folder)) this.folders.push(folder);
      this.#total += numberIn(start, 'remaining') ?? 0;
    } else if (isObject(episode)) {
      this.#done++;
      if (episode['scored'] === true) this.#rewards += numberIn(episode, 'reward') ?? 0;
      else this.#errored++;
      const dollars = numberIn(episode, 'dollars');
      if (dollars !== null) this.#dollars = (this.#dollars ?? 0) + dollars;
    } else if (isObject(played)) {
      this.#done++;
      this.#rewards += numberIn(played, 'reward') ?? 0;
    } else if (isObject(done)) {
      this.ends.push(readEnd(done));
    }
  }

  /** Share of the episodes that are over, from 0 to 1. */
  get share(): number {
    return this.#total === 0 ? 0 : this.#done / this.#total;
  }

  /** What is known whatever the time, e.g. `12 of 20, 1 errored · reward 0.71`. */
  describeFigures(): string {
    const scored = this.#done - this.#errored;
    return [
      `${this.#done} of ${this.#total}${this.#errored > 0 ? `, ${this.#errored} errored` : ''}`,
      ...(scored > 0 ? [`reward ${(this.#rewards / scored).toFixed(2)}`] : []),
    ].join(' · ');
  }

  /** E.g. `12 of 20, 1 errored · reward 0.71 · 1.4/s · $0.02 · 6 s left`. @param now in ms. */
  describe(now: number): string {
    if (this.folders.length === 0) return 'starting';
    const seconds = Math.max(0.001, (now - this.#began) / 1000);
    const rate = this.#done / seconds;
    const left = this.#total - this.#done;
    return [
      this.describeFigures(),
      ...(this.#done > 0 ? [rateText(rate)] : []),
      ...(this.#dollars === null ? [] : [`$${this.#dollars.toFixed(2)}`]),
      ...(this.#done > 0 && left > 0 ? [`${durationText(left / rate)} left`] : []),
    ].join(' · ');
  }
}

function rateText(perSecond: number): string {
  return perSecond >= 0.5 ? `${perSecond.toFixed(1)}/s` : `${(perSecond * 60).toFixed(1)}/min`;
}

/** @param seconds e.g. 75 for `1 min 15 s`. */
export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

function readEnd(done: Readonly<Record<string, unknown>>): RunEnd {
  const text = (key: string) => (typeof done[key] === 'string' ? done[key] : null);
  return {
    folder: text('folder') ?? '',
    status: text('status') ?? '',
    reason: text('reason'),
    requested: numberIn(done, 'requested') ?? 0,
    scored: numberIn(done, 'scored') ?? 0,
    errored: numberIn(done, 'errored') ?? 0,
    unfinished: numberIn(done, 'unfinished') ?? 0,
    reward: numberIn(done, 'reward'),
    error: numberIn(done, 'reward_se'),
  };
}

function numberIn(fields: Readonly<Record<string, unknown>>, key: string): number | null {
  const value = fields[key];
  return typeof value === 'number' ? value : null;
}

/** A figure of a run with how many episodes it stands for, e.g. `reward 0.71 ± 0.05 · 20 of 20 scored, 1 errored`. */
export function headline(run: Pick<RunEnd, 'requested' | 'scored' | 'errored' | 'reward' | 'error'>): string {
  const { requested, scored, errored, reward, error } = run;
  const figure =
    reward === null ? [] : [`reward ${reward.toFixed(2)} ± ${error === null ? '–' : error.toFixed(2)}`];
  return [...figure, `${scored} of ${requested} scored${errored > 0 ? `, ${errored} errored` : ''}`].join(
    ' · ',
  );
}
