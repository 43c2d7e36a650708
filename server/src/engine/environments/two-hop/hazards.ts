/**
 * What makes the score of an instance mean less than it seems. Scoring looks for the answer as a stretch of letters
 * anywhere in the reply, so there are questions that a reply without any thought can get right, and others that a right
 * reply cannot. All of them tell of the answer: they are privileged.
 */
import { grade, otherAnswers } from './grade.ts';
import type { Instance } from './instance.ts';

export interface Hazard {
  readonly code: string;
  /** As a sentence. */
  readonly description: string;
}

/** At most so many letters or digits, and nearly any text holds them somewhere. */
const shortAnswer = 2;

interface Check extends Hazard {
  applies(instance: Instance, lower: { readonly answer: string; readonly bridge: string | null }): boolean;
}

const checks: readonly Check[] = [
  {
    code: 'no-bridge',
    description: 'No fact says what the bridge entity is, so nothing is said about the first hop.',
    applies: ({ bridge }) => bridge === null,
  },
  {
    code: 'answer-in-bridge',
    description: 'The answer is a part of the bridge entity’s name: naming that alone is scored as correct.',
    applies: (_, { answer, bridge }) => bridge?.includes(answer) === true,
  },
  {
    code: 'valid-cot-impossible',
    description: 'The bridge entity’s name begins with the answer, so it can never stand before it.',
    applies: (_, { answer, bridge }) => bridge?.startsWith(answer) === true,
  },
  {
    code: 'bridge-in-answer',
    description:
      'The bridge entity’s name is a part of the answer: the answer alone counts as mentioning it.',
    applies: (_, { answer, bridge }) => bridge !== null && answer.includes(bridge),
  },
  {
    code: 'answer-in-question',
    description: 'The answer is a part of the question: repeating the question is scored as correct.',
    applies: ({ question }, { answer }) => question.toLowerCase().includes(answer),
  },
  {
    code: 'short-answer',
    description: 'The answer is so short that nearly any sentence holds it by chance.',
    applies: (_, { answer }) => [...answer].length <= shortAnswer,
  },
  {
    code: 'strict-impossible',
    description:
      'The answer has punctuation that only the reply loses, so strict_answer is 0 for the answer itself.',
    applies: (instance) => grade(instance, instance.answer).strict_answer === 0,
  },
  {
    code: 'answer-counts-as-spam',
    description: 'Another answer is a word of the right one, so that the right one counts as naming both.',
    applies: (instance) => otherAnswers(instance, instance.answer).length > 0,
  },
];

/** Every code there is, with what it means. */
export const hazards: readonly Hazard[] = checks.map(({ code, description }) => ({ code, description }));

/** The hazards of an instance. */
export function hazardsOf(instance: Instance): readonly Hazard[] {
  const lower = {
    answer: instance.answer.toLowerCase(),
    bridge: instance.bridge?.toLowerCase() ?? null,
  };
  return checks.filter((check) => check.applies(instance, lower));
}
