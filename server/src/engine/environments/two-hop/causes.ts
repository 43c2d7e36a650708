/** Why a reply was not right, as far as that can be told from its text. */
import { counted } from '../../text/numbers.ts';
import { named } from '../../text/visible.ts';
import type { Explanation } from '../commentary.ts';
import { otherAnswers, standsAlone } from './grade.ts';
import type { Answered, State } from './state.ts';

/** What there is to know of a reply that is not right. */
interface Failed extends Answered {
  readonly state: State;
  readonly others: readonly string[];
}

interface Cause {
  readonly id: string;
  /** From 0; null where no hop is to blame. */
  readonly hop: number | null;
  applies(failed: Failed): boolean;
  sentence(failed: Failed): string;
}

/** The first that applies is the cause. */
const causes: readonly Cause[] = [
  {
    id: 'no-answer',
    hop: null,
    applies: ({ grade }) => grade.answered === 0,
    sentence: () => 'The reply is blank.',
  },
  {
    id: 'answer-form',
    hop: null,
    applies: ({ state, reply }) => hasOtherForm(reply, state.instance.answer),
    sentence: ({ state }) =>
      `The reply has the right answer, ${named(state.instance.answer)}, but with other punctuation or accents.`,
  },
  {
    id: 'cut-off',
    hop: null,
    applies: ({ finish, others }) => finish === 'length' && others.length === 0,
    sentence: () => 'The output limit cut the reply off before it came to an answer.',
  },
  {
    id: 'enumerated',
    hop: null,
    applies: ({ others }) => others.length > 1,
    sentence: ({ others }) =>
      `The reply names ${counted(others.length, 'answer')}, and all of them are wrong.`,
  },
  {
    id: 'second-hop',
    hop: 1,
    applies: ({ grade, others }) => grade.first_hop_mentioned === 1 && others.length > 0,
    sentence: ({ state, others }) =>
      `The reply names the bridge entity, ${named(state.instance.bridge ?? '')}, and then a wrong answer, ${named(others[0] ?? '')}.`,
  },
  {
    id: 'stopped-at-bridge',
    hop: 1,
    applies: ({ grade }) => grade.first_hop_mentioned === 1,
    sentence: ({ state }) =>
      `The reply names the bridge entity, ${named(state.instance.bridge ?? '')}, but no answer of the relation.`,
  },
  {
    id: 'prior-answer',
    hop: 0,
    applies: ({ state, others }) => others[0] === state.instance.prior,
    sentence: ({ others }) =>
      `The reply is ${named(others[0] ?? '')}, the most frequent answer of the relation: what one would guess.`,
  },
  {
    id: 'other-answer',
    hop: 0,
    applies: ({ others }) => others.length > 0,
    sentence: ({ others }) => `The reply is another answer of the relation, ${named(others[0] ?? '')}.`,
  },
  {
    id: 'other-value',
    hop: null,
    applies: () => true,
    sentence: () => 'The reply names no answer of the relation.',
  },
];

/** Why the episode failed that went through `states`; null for no states. */
export function explain(states: readonly State[]): Explanation | null {
  const state = states.at(-1);
  if (state === undefined) return null;
  const { answered, instance } = state;
  const others = answered === null ? [] : otherAnswers(instance, answered.reply);
  const nothing = { step: null, hop: null, sentence: null, unwinnableAt: null, lostBridgeAt: null };
  const counts = { other_answers: others.length };
  if (answered === null) return { cause: 'unfinished', ...nothing, counts };
  if (answered.grade.correct === 1) return { cause: null, ...nothing, counts };
  const failed = { ...answered, state, others };
  const cause = causes.find((it) => it.applies(failed));
  if (cause === undefined) return { cause: null, ...nothing, counts };
  return { ...nothing, cause: cause.id, step: 1, hop: cause.hop, sentence: cause.sentence(failed), counts };
}

/** Whether the answer is there but for case, accents, and how its parts are separated. */
function hasOtherForm(reply: string, answer: string): boolean {
  const without = (text: string) => text.replaceAll('.', '');
  return (
    standsAlone(words(reply), words(answer)) || standsAlone(words(without(reply)), words(without(answer)))
  );
}

/** Letters and digits without case and accents, a blank for everything between them. */
function words(text: string): string {
  const bare = text.normalize('NFKD').replace(/\p{M}/gu, '');
  return bare
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
