/** What shortcuts score that know no fact about any person. */
import { mean } from '../../stats/means.ts';
import type { Baseline } from '../environment.ts';
import { grade } from './grade.ts';
import type { Instance } from './instance.ts';
import { priorScore } from './metrics.ts';

const scoreOf = (instance: Instance, reply: string) => grade(instance, reply).correct;

export const baselines: readonly Baseline<Instance>[] = [
  {
    id: 'most_common_answer',
    label: 'most common answer',
    description: 'The answers of the relation are known; the most frequent one is always given.',
    score: priorScore,
  },
  {
    id: 'chance',
    label: 'chance',
    description: 'The answers of the relation are known; one is guessed, each as likely. An expectation.',
    score: (instance) => mean(instance.answers.map((answer) => scoreOf(instance, answer))) ?? 0,
  },
  {
    id: 'bridge_only',
    label: 'bridge alone',
    description:
      'The bridge entity is known and named, and nothing else: right where its name holds the answer.',
    score: (instance) => scoreOf(instance, instance.bridge ?? ''),
  },
  {
    id: 'question_repeated',
    label: 'question repeated',
    description: 'Nothing is known; the question is said again: right where it holds the answer.',
    score: (instance) => scoreOf(instance, instance.question),
  },
];
