/** Why an episode failed, as far as its end tells. */
import type { Explanation } from '../commentary.ts';
import { rewardOf } from './episode.ts';
import { weigh } from './pitch/tastes.ts';
import { documentedPlan } from './plan.ts';
import { isOurs } from './published/playable.ts';
import type { State } from './state.ts';
import { callTool, openWorld, worldDifferences } from './toolbox.ts';

interface Cause {
  readonly id: string;
  applies(state: State): boolean;
  sentence(state: State): string;
}

/** The first that applies is the cause. */
const causes: readonly Cause[] = [
  {
    id: 'unfinished',
    applies: ({ stop }) => stop === null,
    sentence: () => 'The episode is not over.',
  },
  {
    id: 'context-overflow',
    applies: ({ stop }) => stop === 'context-overflow',
    sentence: () => 'The conversation became too long for the model before it called finish.',
  },
  {
    id: 'out-of-budget',
    applies: ({ stop }) => stop === 'step-cap' || stop === 'token-cap',
    sentence: ({ stop, options }) =>
      stop === 'step-cap'
        ? `All ${options.turns} replies were used up without finish.`
        : `All ${options.output_tokens} output tokens were used up without finish.`,
  },
  {
    id: 'no-verdict',
    applies: ({ stop }) => stop === 'judge-error',
    sentence: () => 'The judge gave no verdict that can be read.',
  },
  {
    id: 'red-line',
    applies: (state) => touched(state, -3) !== null,
    sentence: (state) => `The pitch speaks of what these customers must not hear: ${touched(state, -3)}.`,
  },
  {
    id: 'disliked',
    applies: (state) => touched(state, -1) !== null,
    sentence: (state) => `The pitch speaks of what these customers do not like: ${touched(state, -1)}.`,
  },
  {
    id: 'invented',
    applies: ({ pitch }) => (pitch?.points.invented ?? 0) > 0,
    sentence: ({ pitch }) => `The pitch claims what no fact says: ${pitch?.invented.join(', ')}.`,
  },
  {
    id: 'denied',
    applies: ({ pitch }) => (pitch?.points.lies ?? 0) > 0,
    sentence: () => 'The pitch denies a fact.',
  },
  {
    id: 'left-out',
    applies: ({ pitch }) => pitch !== null,
    sentence: ({ pitch }) =>
      `The pitch covers ${Math.round(100 * (pitch?.points.coverage ?? 0))} % of what these customers like, or is too long.`,
  },
  {
    id: 'followed-documents',
    applies: followedDocuments,
    sentence: () => 'The agent did what the documents say, where practice differs from them.',
  },
  {
    id: 'wrong-reason',
    applies: ({ instance, verified, finish }) =>
      instance.evaluator.answer.kind === 'refuse' &&
      verified?.world === true &&
      finish?.decision !== undefined,
    sentence: ({ finish }) => `The refusal was right, its reason ${finish?.reason} was not.`,
  },
  {
    id: 'wrong-answer',
    applies: ({ instance, verified }) =>
      instance.evaluator.answer.kind === 'value' && verified?.world === true && !verified.answer,
    sentence: ({ finish }) => `The answer ${finish?.answer ?? '(none)'} is not the right one.`,
  },
  {
    id: 'refused',
    applies: ({ finish }) => finish?.decision !== undefined,
    sentence: () => 'The agent refused what was to be done.',
  },
  {
    id: 'nothing-done',
    applies: ({ instance, clean, world }) =>
      instance.evaluator.actions.length > 0 && worldDifferences(clean, world).length === 0,
    sentence: () => 'The agent finished without doing anything.',
  },
  {
    id: 'not-refused',
    applies: ({ instance }) => instance.evaluator.answer.kind === 'refuse' && instance.domain === 'retail',
    sentence: () => 'The agent did not refuse what was to be refused.',
  },
  {
    id: 'wrong-action',
    applies: () => true,
    sentence: () => 'The agent did something else than what was to be done.',
  },
];

/** The first fact of that weight that the pitch speaks of. */
function touched({ instance: { own }, pitch }: State, weight: number): string | null {
  if (own.domain !== 'pitch' || pitch === null) return null;
  const fact = own.sheet.facts.find(
    (it, at) => weigh(own.persona, it) === weight && (pitch.marks[at] ?? 'N') !== 'N',
  );
  return fact === undefined ? null : `${fact.attribute} (${fact.line})`;
}

/** Whether the end is just that of a reader of the documents. */
function followedDocuments({ instance, world, finish }: State): boolean {
  if (instance.evaluator.slice !== 'adapt' || instance.domain === 'pitch') return false;
  // What others' documents have one do is not known.
  if (!isOurs(instance)) return false;
  const plan = documentedPlan(instance);
  let documented = openWorld(instance);
  for (const { name, kwargs } of plan.actions) {
    documented = callTool(instance, documented, name, kwargs).world;
  }
  return (
    worldDifferences(documented, world).length === 0 &&
    plan.finish.decision === finish?.decision &&
    plan.finish.answer === finish?.answer
  );
}

/** Why the episode failed that went through `states`; null for no states. */
export function explain(states: readonly State[]): Explanation | null {
  const state = states.at(-1);
  if (state === undefined) return null;
  const invalid = state.turns.filter(({ kind }) => kind === 'invalid').length;
  const refused = state.turns.filter(({ kind, ok }) => kind === 'tool' && !ok).length;
  const nothing = { step: null, hop: null, unwinnableAt: null, lostBridgeAt: null };
  const counts = { invalid_turns: invalid, refused_calls: refused };
  const cause = causes.find((it) => it.applies(state));
  if (cause === undefined || (state.stop !== null && rewardOf(state) >= 1)) {
    return { ...nothing, cause: null, sentence: null, counts };
  }
  const step = state.stop === null ? null : (changingStep(states) ?? state.replies);
  return { ...nothing, cause: cause.id, step, sentence: cause.sentence(state), counts };
}

/** The first step that changed the world, in an episode that should not have ended as it did. */
function changingStep(states: readonly State[]): number | null {
  for (const [step, state] of states.entries()) {
    const before = states[step - 1];
    if (before !== undefined && worldDifferences(before.world, state.world).length > 0) return step;
  }
  return null;
}
