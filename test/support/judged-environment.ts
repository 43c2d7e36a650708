/** A small environment that asks a judge after every reply, and offers nothing beyond what each one must. */
import type { Environment } from '../../server/src/engine/environments/environment.ts';
import { accept, refuse } from '../../server/src/engine/problem.ts';

export interface JudgedInstance {
  readonly id: string;
  readonly split: string;
}

/** A number of points; two rounds are played. */
export interface JudgedState {
  readonly points: number;
  readonly rounds: number;
  readonly isJudgedNext: boolean;
}

const ROUNDS = 2;

/** Each verdict that is a number is so many points. */
export const judged: Environment<JudgedInstance, null, JudgedState> = {
  id: 'judged',
  title: 'Judged',
  description: 'Two replies, each judged.',
  generatorVersion: 1,
  splits: [{ id: 'train', size: 3, test: false, description: 'all there is' }],
  metrics: [],
  variables: [],
  policies: [],
  parseOptions: () => accept(null),
  generate: (split, index) =>
    split === 'train'
      ? accept({ instance: { id: `judged-${index}`, split }, attempts: 1, reasons: {} })
      : refuse(`there is no split "${split}"`),
  parseInstance: () => refuse('none'),
  validate: () => [],
  minSteps: () => ROUNDS,
  start: () => ({ points: 0, rounds: 0, isJudgedNext: false }),
  observe: () => ({}),
  conversation: () => [],
  advance: ({ points, rounds }, event) =>
    event.kind === 'reply'
      ? { points, rounds, isJudgedNext: true }
      : {
          points: points + (typeof event.value === 'number' ? event.value : 0),
          rounds: rounds + 1,
          isJudgedNext: false,
        },
  next({ rounds, isJudgedNext }) {
    if (isJudgedNext) return { kind: 'verdict', judge: 'points', messages: [] };
    return rounds === ROUNDS ? { kind: 'nothing' } : { kind: 'reply' };
  },
  outcome: ({ points, rounds }) => ({
    done: rounds === ROUNDS,
    reward: points,
    correct: points > 1,
    stop: rounds === ROUNDS ? 'judged' : 'unfinished',
    steps: rounds,
    metrics: {},
  }),
};
