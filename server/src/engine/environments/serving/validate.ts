/** Whether an instance is sound: its expected end can be reached, and a reader of the documents misses it exactly when it should. */
import type { Policy, Reason } from '../environment.ts';
import { advance, next, rewardOf, start } from './episode.ts';
import type { Instance } from './instance.ts';
import { defaultOptions, type Options } from './options.ts';
import { policies } from './policies/index.ts';
import type { State } from './state.ts';

export const reasons: readonly Reason[] = [
  { code: 'unsolvable', description: 'Following the rules that hold does not give the full reward.' },
  {
    code: 'documents_suffice',
    description: 'The task is meant to need more than the documents, and a perfect reader of them is right.',
  },
  {
    code: 'documents_mislead',
    description:
      'The task is meant to need no more than the documents, and a perfect reader of them is wrong.',
  },
  {
    code: 'doing_nothing_wins',
    description: 'Finishing at once gives the full reward where something is to be done.',
  },
];

/** Reason codes; what is not known of instances of other data sets is not held against them. */
export function validate(instance: Instance, options: Options): readonly string[] {
  const found: string[] = [];
  const judged = { ...options, judge: defaultOptions.judge };
  const isTold = instance.source.startsWith('hopscope ');
  if (rewardOf(playOut(instance, judged, 'oracle')) < 1) found.push('unsolvable');
  if (isTold && instance.domain !== 'pitch') {
    const isRight = rewardOf(playOut(instance, judged, 'documents')) === 1;
    const isAdapt = instance.evaluator.slice === 'adapt';
    if (isAdapt && isRight) found.push('documents_suffice');
    if (!isAdapt && !isRight) found.push('documents_mislead');
  }
  const isPassive = rewardOf(playOut(instance, judged, 'finish-at-once')) === 1;
  if (isPassive) found.push('doing_nothing_wins');
  return found;
}

/** The end of an episode that a scripted agent plays. */
function playOut(instance: Instance, options: Options, id: string): State {
  const policy: Policy<Instance, State> | undefined = policies.find((it) => it.id === id);
  let state = start(instance, options);
  const player = policy?.begin(instance, '0');
  while (player !== undefined && next(state).kind === 'reply') state = advance(state, player(state));
  return state;
}
