/**
 * Why an episode failed: one primary cause for each that is not solved, the first of an ordered list that applies.
 *
 * Where the first gate failed, the worst loss decides: a line of which nothing is left is not mended by taking bullets
 * away. Where it held, the candidate is too long, and what takes most of its excess decides.
 */
import type { Explanation } from '../commentary.ts';
import { distinctContents } from './fidelity.ts';
import { LOSSES, type Loss, type Review, reviewOf } from './review.ts';
import { scoreOf, solvedFrom } from './scored.ts';
import { scoreCandidate } from './scoring.ts';
import type { State } from './state.ts';

type Waste = 'noise-kept' | 'repeats-kept' | 'padding' | 'prefixes-kept';

type Cause = 'unfinished' | 'empty-reply' | Loss | 'copied' | 'no-headroom' | Waste;

/** Explains an episode by its states, from the start on. Its cause is null when it counts as solved. */
export function explain(states: readonly State[]): Explanation | null {
  const last = states.at(-1);
  if (last === undefined) return null;
  const cause = findCause(last);
  return {
    cause,
    step: last.candidate === null || cause === null ? null : 1,
    hop: null,
    sentence: cause === null ? null : sentenceOf(cause, last),
    unwinnableAt: null,
    lostBridgeAt: null,
    counts: countsOf(reviewOf(last)),
  };
}

function findCause(state: State): Cause | null {
  const { instance, candidate } = state;
  const score = scoreOf(state);
  const review = reviewOf(state);
  if (candidate === null || score === null || review === null) return 'unfinished';
  if (score.reward >= solvedFrom) return null;
  if (score.missing.length > 0) {
    if (candidate.trim() === '') return 'empty-reply';
    const losses = new Set(review.contents.map(({ loss }) => loss));
    return LOSSES.findLast((loss) => losses.has(loss)) ?? 'dropped';
  }
  if (score.ratio >= 1 || isCopy(state)) return 'copied';
  if (scoreCandidate(instance, distinctContents(instance).join('\n')).reward < solvedFrom) {
    return 'no-headroom';
  }
  const waste = wasteOf(review, candidate);
  const [most] = [...waste].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? 'padding';
}

/** Whether every line of the log is still there. */
function isCopy({ instance, candidate }: State): boolean {
  const lines = new Set(candidate?.split('\n'));
  return instance.raw.split('\n').every((line) => lines.has(line));
}

/** Code units of the candidate that no critical content needs, by what they are. */
function wasteOf({ lines }: Review, candidate: string): ReadonlyMap<Waste, number> {
  const waste = new Map<Waste, number>([
    ['noise-kept', 0],
    ['repeats-kept', 0],
    ['padding', 0],
    ['prefixes-kept', 0],
  ]);
  const add = (kind: Waste, units: number) => waste.set(kind, (waste.get(kind) ?? 0) + units);
  for (const { kind, start, end, prefix } of lines) {
    const length = Math.min(end + 1, candidate.length) - start;
    if (kind === 'critical') add('prefixes-kept', prefix);
    else if (kind === 'repeat') add('repeats-kept', length);
    else if (kind === 'other') add('noise-kept', length);
    else add('padding', length);
  }
  return waste;
}

function countsOf(review: Review | null): Record<string, number> {
  const lost = (wanted: Loss) => review?.contents.filter(({ loss }) => loss === wanted).length ?? 0;
  const lines = (wanted: string) => review?.lines.filter(({ kind }) => kind === wanted).length ?? 0;
  return {
    ...Object.fromEntries(LOSSES.map((loss) => [loss, lost(loss)])),
    repeats: lines('repeat'),
    other_lines: lines('other'),
    invented: lines('invented'),
  };
}

/** What became of a content that is lost, to go on after "…: "; `line` counts from 1. */
export function lossPhrase(loss: Loss, line: number | null): string {
  switch (loss) {
    case 'decorated':
      return `it stands in line ${line} with something around it`;
    case 'cut':
      return `only its beginning stands in line ${line}`;
    case 'reworded':
      return `line ${line} says it in other words`;
    case 'merged':
      return 'a line that begins alike stands for it';
    case 'dropped':
      return 'nothing of it is left';
  }
}

function sentenceOf(cause: Cause, state: State): string {
  const { contents } = reviewOf(state) ?? { contents: [] };
  const score = scoreOf(state);
  const percent = (ratio: number) => `${(100 * ratio).toFixed(1)} %`;
  const size = score === null ? '' : `The output has ${percent(score.ratio)} of the log’s tokens`;
  const reference = `the reference ${percent(state.instance.reference_ratio)}`;
  switch (cause) {
    case 'unfinished':
      return 'The episode goes on.';
    case 'empty-reply':
      return `The reply is blank, so all of the ${contents.length} critical lines are lost.`;
    case 'copied':
      return 'The whole log was copied: nothing is lost, and nothing is shorter.';
    case 'no-headroom':
      return `${size}, ${reference}: this log leaves nothing to gain, whatever the output.`;
    case 'noise-kept':
      return `${size}, ${reference}: most of what is too much are lines that are not critical.`;
    case 'repeats-kept':
      return `${size}, ${reference}: most of what is too much are critical lines that came before.`;
    case 'padding':
      return `${size}, ${reference}: most of what is too much are lines that the log does not have.`;
    case 'prefixes-kept':
      return `${size}, ${reference}: most of what is too much stands in front of the lines.`;
    default: {
      const lost = contents.filter(({ loss }) => loss !== null);
      const [first] = lost.filter(({ loss }) => loss === cause);
      const many = `${lost.length} of ${contents.length} critical lines ${lost.length === 1 ? 'is' : 'are'} lost`;
      if (first === undefined) return `${many}.`;
      const at = first.at === null ? null : first.at + 1;
      return `${many}, such as "${shortened(first.content)}": ${lossPhrase(cause, at)}.`;
    }
  }
}

/** A line of a log as it stands in a sentence; long ones are cut. */
export function shortened(text: string, most = 80): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
