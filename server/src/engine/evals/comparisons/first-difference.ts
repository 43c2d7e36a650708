/** Where two episodes on the same instance part. */
import type { Event, Reply } from '../../environments/chat.ts';
import type { AnyInstance, Environment } from '../../environments/environment.ts';
import { isPlayedAlike } from '../../transcripts/replay.ts';

/** A step as a report tells it. */
export interface StepView {
  readonly reply: Reply;
  /** The step in a few words, e.g. `READ 12`; null where the environment has none. */
  readonly label: string | null;
}

/** The first step, from 1, at which two episodes did different things. */
export interface FirstDifference {
  readonly step: number;
  /** Null for an episode that was over before. */
  readonly a: StepView | null;
  readonly b: StepView | null;
}

/**
 * The step, from 1, of the first reply or verdict that is not the same text, value or tool call; null when all are. Needs
 * no environment, but thoughts that are worded differently count as a difference.
 */
export function firstWording(a: readonly Event[], b: readonly Event[]): number | null {
  let step = 0;
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const left = a[at];
    const right = b[at];
    if ((left ?? right)?.kind === 'reply') step++;
    if (left === undefined || right === undefined || !isPlayedAlike(left, right)) return Math.max(1, step);
  }
  return null;
}

/** One episode to look at: its events and the options it was played under. */
export interface Course<O> {
  readonly options: O;
  readonly events: readonly Event[];
}

/**
 * The first step whose label differs, so that two ways of saying the same action are no difference; for an environment
 * without labels, the first reply that differs. Null when one never comes, as between episodes that differ in the words of
 * their summaries alone.
 */
export function firstDifference<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  instance: I,
  a: Course<O>,
  b: Course<O>,
): FirstDifference | null {
  const left = stepViews(environment, instance, a);
  const right = stepViews(environment, instance, b);
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [mine = null, theirs = null] = [left[at], right[at]];
    const isSame =
      mine !== null &&
      theirs !== null &&
      (mine.label === null ? isPlayedAlike(mine.reply, theirs.reply) : mine.label === theirs.label);
    if (!isSame) return { step: at + 1, a: mine, b: theirs };
  }
  return null;
}

/** The steps of an episode, as far as the environment takes its events. */
export function stepViews<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  instance: I,
  { options, events }: Course<O>,
): StepView[] {
  const views: StepView[] = [];
  let state = environment.start(instance, options);
  for (const event of events) {
    if (environment.next(state).kind !== event.kind) break;
    state = environment.advance(state, event);
    if (event.kind !== 'reply') continue;
    views.push({ reply: event, label: environment.commentary?.label(state) ?? null });
  }
  return views;
}
