/** What a navigator prompt must not spell out: the answer in all its forms, and the entities on the way to it. */
import type { Secret } from '../secrets.ts';
import type { Instance } from './instance.ts';

/** The question itself names the entity of the first hop, so that one is no secret. */
export function secrets({ answer, answer_aliases, evidence, question }: Instance): readonly Secret[] {
  const answers = [answer, ...answer_aliases].map((text) => ({ text, kind: 'answer' }));
  const bridges = evidence.slice(1).map(({ entity }) => ({ text: entity, kind: 'bridge entity' }));
  return [...answers, ...bridges].filter(({ text }) => !question.includes(text));
}
