/** The figures that an episode contributes to tables. */
import type { Metric } from '../environment.ts';
import { applicable, FIGURES, grade } from './grade.ts';
import type { Instance } from './instance.ts';
import type { State } from './state.ts';

export const metrics: readonly Metric[] = [
  {
    id: 'correct',
    label: 'correct',
    description: 'Share of replies that hold the right answer anywhere in them, whatever else they hold.',
    better: 'higher',
    headline: true,
  },
  {
    id: 'prior',
    label: 'prior',
    description:
      'What one scores on the same questions by always giving the most frequent answer of the relation. A model that was ' +
      'never told the facts about the persons cannot do better than guess like this.',
    better: 'neither',
    headline: true,
  },
  {
    id: 'strict_answer',
    label: 'strict',
    description:
      'Share of replies that are the right answer and nothing else, but for case, white space and . , ! around it. Not ' +
      'taken with reasoning.',
    better: 'higher',
    headline: true,
  },
  {
    id: 'valid_cot',
    label: 'valid CoT',
    description: 'Share of replies that name the bridge entity and after that the right answer.',
    better: 'higher',
    headline: true,
  },
  {
    id: 'first_hop_mentioned',
    label: 'bridge named',
    description: 'Share of replies that name the bridge entity anywhere.',
    better: 'higher',
  },
  {
    id: 'answer_spam',
    label: 'spam',
    description: 'How many other answers of the relation a reply names, on average: enumerating shows here.',
    better: 'lower',
    headline: true,
  },
  {
    id: 'answered',
    label: 'answered',
    description: 'Share of replies that are not blank.',
    better: 'higher',
  },
];

/** The figures of a state; all but the prior null while there is no reply. */
export function measure({ instance, answered }: State): Readonly<Record<string, number | null>> {
  const figures = FIGURES.map((name) => [name, applicable(answered?.grade[name] ?? null)] as const);
  const { correct = null, ...others } = Object.fromEntries(figures);
  return { correct, prior: priorScore(instance), ...others };
}

/** What the most frequent answer of the relation scores: 0 or 1. */
export function priorScore(instance: Instance): number {
  return grade(instance, instance.prior).correct;
}
