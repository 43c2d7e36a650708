/** Scripted agents, each with a score that is known beforehand. Those that exploit the grader are here to be measured. */
import { openStream } from '../../random/stream.ts';
import { reply } from '../chat.ts';
import type { Policy } from '../environment.ts';
import type { Instance } from './instance.ts';
import type { State } from './state.ts';

type TwoHopPolicy = Policy<Instance, State>;

/** An agent whose reply follows from the instance and a seed. */
function scripted(
  id: string,
  description: string,
  privileged: boolean,
  say: (instance: Instance, seed: string) => string,
): TwoHopPolicy {
  return {
    id,
    description,
    privileged,
    begin: (instance, seed) => ({ reply: () => reply(say(instance, seed)) }).reply,
  };
}

/** As a model with reasoning would put it. */
function reasoned({ person, bridge, answer }: Instance): string {
  return bridge === null ? answer : `For ${person ?? 'this person'} that is ${bridge}, so it is ${answer}`;
}

export const policies: readonly TwoHopPolicy[] = [
  scripted(
    'perfect',
    'Gives the right answer: alone where it is to come at once, after the bridge entity otherwise.',
    true,
    (instance) => (instance.split === 'cot' ? reasoned(instance) : instance.answer),
  ),
  scripted(
    'sentence',
    'Gives the right answer in a sentence.',
    true,
    ({ answer }) => `I would say ${answer}.`,
  ),
  scripted('empty', 'Says nothing.', false, () => ''),
  scripted(
    'most-common',
    'Always gives the most frequent answer of the relation: what one can say without knowing any fact.',
    true,
    ({ prior }) => prior,
  ),
  scripted('random-answer', 'Gives a random answer of the relation.', true, ({ id, answers }, seed) =>
    answers.length === 0 ? '' : openStream('two-hop', 'random-answer', id, seed).pick(answers),
  ),
  scripted(
    'enumerate-all',
    'Gives all answers of the relation at once, the right one among them.',
    true,
    ({ answers }) => answers.join(', '),
  ),
  scripted('bridge-only', 'Names the bridge entity and stops there.', true, ({ bridge }) => bridge ?? ''),
  scripted('repeat-question', 'Says the question again.', false, ({ question }) => question),
  scripted(
    'alphabet',
    'Recites the alphabet and the digits, since short answers are found anywhere.',
    false,
    () => 'a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9',
  ),
];
