/**
 * Why an episode failed, and when: one primary cause for each finished episode that is not correct, the first of an
 * ordered list that applies. What an episode shows besides (lost bridges, reads that led nowhere) is counted whatever
 * the cause.
 */
import type { Explanation } from '../commentary.ts';
import { normalizeAnswer } from './answers.ts';
import { causeSentence } from './cause-sentences.ts';
import { capturedBy } from './facts.ts';
import type { DistractorKind, Instance } from './instance.ts';
import { chunkRead, isOffTarget, isReread, isUnwinnable, lostHop } from './progress.ts';
import { readEntry } from './reading.ts';
import { abstains, isCorrect } from './reward.ts';
import type { State } from './state.ts';

export type Cause =
  | 'unfinished'
  | 'no-room-read'
  | 'no-room-compress'
  | 'abstained'
  | 'gave-up'
  | 'guessed'
  | 'answer-form'
  | 'stopped-at-bridge'
  | 'superseded'
  | 'twin'
  | 'near-miss-value'
  | 'wrong-field'
  | 'other-value'
  | 'interface'
  | 'lost-bridge'
  | 're-reading'
  | 'no-read'
  | 'wandering'
  | 'too-slow';

/** A cause with the step it is seen at, from 1, and the hop it concerns, from 0; null where there is none. */
export interface Finding {
  readonly cause: Cause;
  readonly step: number | null;
  readonly hop: number | null;
}

/** What happened in an episode; steps from 1, in order. */
interface Facts {
  readonly last: State;
  readonly reads: number;
  readonly rereads: readonly number[];
  readonly offTarget: readonly number[];
  readonly invalid: readonly number[];
  readonly unwinnable: number | null;
  readonly lost: { readonly step: number; readonly hop: number } | null;
}

/**
 * Explains an episode by its states, from the start on. Its cause is null when it ended correctly; it is
 * `unfinished` while the episode goes on.
 */
export function explain(states: readonly State[]): Explanation | null {
  const last = states.at(-1);
  if (last === undefined) return null;
  const facts = gather(states, last);
  const finding = isCorrect(last) ? null : findCause(facts);
  return {
    cause: finding?.cause ?? null,
    step: finding?.step ?? null,
    hop: finding?.hop ?? null,
    sentence: finding === null ? null : causeSentence(finding, last),
    unwinnableAt: facts.unwinnable,
    lostBridgeAt: facts.lost?.step ?? null,
    counts: {
      reads: facts.reads,
      rereads: facts.rereads.length,
      off_target_reads: facts.offTarget.length,
      invalid: facts.invalid.length,
    },
  };
}

function gather(states: readonly State[], last: State): Facts {
  let reads = 0;
  const rereads: number[] = [];
  const offTarget: number[] = [];
  const invalid: number[] = [];
  let unwinnable: number | null = null;
  let lost: Facts['lost'] = null;
  let before: State | null = null;
  for (const after of states) {
    if (before !== null) {
      const step = after.steps;
      if (chunkRead(after) !== null) reads++;
      if (isReread(before, after)) rereads.push(step);
      if (isOffTarget(before, after)) offTarget.push(step);
      if (after.last?.action.kind === 'error') invalid.push(step);
      if (unwinnable === null && isUnwinnable(after)) unwinnable = step;
      const hop = lostHop(before, after);
      if (lost === null && hop !== null) lost = { step, hop };
    }
    before = after;
  }
  return { last, reads, rereads, offTarget, invalid, unwinnable, lost };
}

function findCause(facts: Facts): Finding {
  const { last } = facts;
  switch (last.ended) {
    case null:
      return { cause: 'unfinished', step: null, hop: null };
    case 'ceiling-exceeded': {
      const cause = last.last?.action.kind === 'READ' ? 'no-room-read' : 'no-room-compress';
      return { cause, step: last.steps, hop: null };
    }
    case 'answered':
      return { ...wrongAnswer(facts, last.answer ?? ''), step: last.steps };
    case 'budget-exhausted':
      return budgetSpent(facts);
  }
}

/** Kinds of distractors by the cause that an answer taken from them has. */
const captures: Readonly<Record<DistractorKind, Cause>> = {
  superseded_link: 'superseded',
  superseded_value: 'superseded',
  near_miss_entity: 'twin',
  near_miss_value: 'near-miss-value',
};

function wrongAnswer({ last, reads }: Facts, answer: string): Pick<Finding, 'cause' | 'hop'> {
  const { instance, settings } = last;
  const given = normalizeAnswer(answer);
  if (abstains(settings.reward, answer)) return { cause: 'abstained', hop: null };
  if (given === 'unknown') return { cause: 'gave-up', hop: null };
  if (reads === 0) return { cause: 'guessed', hop: null };
  const truth = normalizeAnswer(instance.answer);
  if (truth !== '' && given.includes(truth)) return { cause: 'answer-form', hop: null };
  const bridge = instance.evidence.findIndex(
    ({ entity }, hop) => hop >= 1 && normalizeAnswer(entity) === given,
  );
  if (bridge >= 1) return { cause: 'stopped-at-bridge', hop: bridge - 1 };
  const distractor = capturedBy(instance, answer);
  if (distractor !== null && isKey(captures, distractor.kind)) {
    return { cause: captures[distractor.kind], hop: distractor.hop };
  }
  if (given !== '' && valuesInRightEntry(instance).some((value) => normalizeAnswer(value) === given)) {
    return { cause: 'wrong-field', hop: instance.evidence.length - 1 };
  }
  return { cause: 'other-value', hop: null };
}

/** Every current and superseded value of the entry that holds the answer. */
function valuesInRightEntry({ evidence, chunks }: Instance): string[] {
  const last = evidence.at(-1);
  for (const line of chunks[last?.chunk_idx ?? -1]?.text.split('\n') ?? []) {
    const entry = readEntry(line, 0);
    if (entry?.name !== last?.entity) continue;
    return [...(entry?.fields.values() ?? [])].flatMap(({ value, superseded }) =>
      superseded === null ? [value] : [value, superseded],
    );
  }
  return [];
}

function budgetSpent({ last, reads, rereads, offTarget, invalid, lost }: Facts): Finding {
  const [firstInvalid = null] = invalid;
  const [firstReread = null] = rereads;
  const [firstOff = null] = offTarget;
  if (firstInvalid !== null && invalid.length * 2 >= last.steps) {
    return { cause: 'interface', step: firstInvalid, hop: null };
  }
  if (lost !== null) return { cause: 'lost-bridge', ...lost };
  if (firstReread !== null && rereads.length * 2 >= reads) {
    return { cause: 're-reading', step: firstReread, hop: null };
  }
  if (reads === 0) return { cause: 'no-read', step: 1, hop: null };
  if (firstOff !== null) return { cause: 'wandering', step: firstOff, hop: null };
  return { cause: 'too-slow', step: last.steps, hop: null };
}

function isKey<T extends object>(table: T, key: string): key is Extract<keyof T, string> {
  return Object.hasOwn(table, key);
}
