/** The figures that one episode contributes to a result table, each a function of its last state. */
import type { Metric } from '../environment.ts';
import { type Grade, grade } from './grade.ts';
import { isOver, type State } from './state.ts';
import { countWrongTurns, firstWrongTurn } from './turns.ts';

interface InventoryMetric extends Metric {
  of(state: State): number | null;
}

/** Null while the episode goes on: nothing about how it ends is known yet. */
function whenOver(state: State, value: (grade: Grade) => number): number | null {
  if (!isOver(state)) return null;
  return value(grade(state.turns.at(-1)?.reported ?? null, state.instance.truth));
}

export const metrics: readonly InventoryMetric[] = [
  {
    id: 'correct_answer',
    label: 'answer',
    description: '1 when the last reply reports exactly the true items, otherwise −1.',
    better: 'higher',
    headline: true,
    of: (state) => whenOver(state, ({ reward }) => reward),
  },
  {
    id: 'episode_length',
    label: 'turns',
    description: 'Turns that were answered.',
    better: 'neither',
    headline: true,
    of: ({ turns }) => turns.length,
  },
  {
    id: 'final_item_count',
    label: 'items',
    description: 'Items that are truly held in the end: how much there was to remember.',
    better: 'neither',
    headline: true,
    of: ({ instance }) => instance.truth.length,
  },
  {
    id: 'reported_item_count',
    label: 'reported',
    description: 'Items that the last reply reports; none for one without a complete block.',
    better: 'neither',
    of: (state) => (isOver(state) ? (state.turns.at(-1)?.reported?.length ?? null) : null),
  },
  {
    id: 'missing_count',
    label: 'missing',
    description: 'True items that the last reply does not report.',
    better: 'lower',
    headline: true,
    of: (state) => whenOver(state, ({ missing }) => missing.length),
  },
  {
    id: 'extra_count',
    label: 'extra',
    description: 'Items that the last reply reports and that are not true.',
    better: 'lower',
    headline: true,
    of: (state) => whenOver(state, ({ extra }) => extra.length),
  },
  {
    id: 'first_wrong_turn',
    label: 'first wrong',
    description:
      'The turn, from 1, after which something else was carried than should be for the first time; none when that never was so.',
    better: 'higher',
    headline: true,
    of: firstWrongTurn,
  },
  {
    id: 'wrong_turns',
    label: 'wrong turns',
    description: 'Share of the turns after which something else was carried than should be, 0 to 1.',
    better: 'lower',
    of: (state) => (state.turns.length === 0 ? null : countWrongTurns(state) / state.turns.length),
  },
  {
    id: 'lost_blocks',
    label: 'no block',
    description:
      'Replies without a complete answer block, or with one too long, each of which empties the inventory.',
    better: 'lower',
    of: ({ turns }) => turns.filter(({ reported }) => reported === null).length,
  },
  {
    id: 'tokens_per_turn',
    label: 'tokens/turn',
    description: 'Mean length of the replies in words, numbers and punctuation marks; none before the first.',
    better: 'neither',
    of: ({ turns }) =>
      turns.length === 0 ? null : turns.reduce((sum, { tokens }) => sum + tokens, 0) / turns.length,
  },
];

/** Every metric of a state, by id. */
export function measure(state: State): Readonly<Record<string, number | null>> {
  return Object.fromEntries(metrics.map((metric) => [metric.id, metric.of(state)]));
}
