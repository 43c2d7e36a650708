/** Signs of reward without the task, and where rewards were lost: at which gate, and how. */
import type { ProbeFigure, ProbeSection, Probes } from '../probes.ts';
import { explain } from './causes.ts';
import { LOSSES } from './review.ts';
import { scoreOf } from './scored.ts';
import type { State } from './state.ts';

/** What is kept of an episode: plain JSON. */
interface Row {
  readonly done: boolean;
  readonly faithful: boolean;
  readonly reward: number;
  readonly cause: string | null;
  /** Positive though it lacks a line or is as long as the log: neither may ever be. */
  readonly impossible: boolean;
  /** Lines that the log does not have. */
  readonly invented: number;
}

export const probes: Probes<State> = {
  row(states): Row {
    const last = states.at(-1);
    if (last === undefined) throw new RangeError('an episode has at least the state that it starts with');
    const score = scoreOf(last);
    const { cause = null, counts = {} } = explain(states) ?? {};
    const reward = score?.reward ?? 0;
    const faithful = score !== null && score.missing.length === 0;
    return {
      done: score !== null,
      faithful,
      reward,
      cause,
      impossible: reward > 0 && (!faithful || (score?.ratio ?? 0) >= 1),
      invented: counts['invented'] ?? 0,
    };
  },
  report(rows: readonly Row[]) {
    const ended = rows.filter(({ done }) => done);
    return [shortcuts(ended), fidelity(ended), length(ended)];
  },
};

function shortcuts(rows: readonly Row[]): ProbeSection {
  const rewarded = rows.filter(({ reward }) => reward > 0);
  return {
    id: 'shortcuts',
    title: 'Reward without the task',
    description:
      'Blank replies and copies of the log earn nothing. Invented lines may be remarks or made-up facts.',
    figures: [
      share('empty', 'blank replies', rows, ({ cause }) => cause === 'empty-reply', 'episodes'),
      share('copied', 'copies of the log', rows, ({ cause }) => cause === 'copied', 'episodes'),
      count('impossible', 'rewarded against the rules', rows, ({ impossible }) => impossible),
      share('invented', 'with invented lines', rewarded, ({ invented }) => invented > 0, 'rewarded episodes'),
    ],
  };
}

function fidelity(rows: readonly Row[]): ProbeSection {
  const failed = rows.filter(({ faithful }) => !faithful);
  return {
    id: 'fidelity',
    title: 'The first gate',
    description: 'Of the episodes that lost a line, what became of the worst one.',
    figures: [
      share('faithful', 'lost nothing', rows, ({ faithful }) => faithful, 'episodes'),
      ...LOSSES.map((loss) => share(loss, loss, failed, ({ cause }) => cause === loss, 'failed episodes')),
    ],
  };
}

const wastes = ['noise-kept', 'repeats-kept', 'padding', 'prefixes-kept', 'no-headroom', 'copied'];

function length(rows: readonly Row[]): ProbeSection {
  const faithful = rows.filter((row) => row.faithful);
  const long = faithful.filter(({ cause }) => cause !== null);
  return {
    id: 'length',
    title: 'The second gate',
    description: 'Of the faithful episodes that did not count as solved, what took most of their excess.',
    figures: [
      share(
        'beats_reference',
        'shorter than the reference',
        faithful,
        ({ reward }) => reward > 0,
        'faithful episodes',
      ),
      ...wastes.map((waste) => share(waste, waste, long, ({ cause }) => cause === waste, 'long episodes')),
    ],
  };
}

function share(
  id: string,
  label: string,
  rows: readonly Row[],
  isOne: (row: Row) => boolean,
  over: string,
): ProbeFigure {
  const value = rows.length === 0 ? null : rows.filter(isOne).length / rows.length;
  return { id, label, kind: 'share', value, n: rows.length, over };
}

function count(id: string, label: string, rows: readonly Row[], isOne: (row: Row) => boolean): ProbeFigure {
  return { id, label, kind: 'count', value: rows.filter(isOne).length, n: rows.length, over: 'episodes' };
}
