/** The scripted agents: their scores are known beforehand. */
import type { Policy } from '../../environment.ts';
import type { Instance } from '../instance.ts';
import { documentedPlan, practicePlan } from '../plan.ts';
import type { State } from '../state.ts';
import { callReply, planned } from './calls.ts';
import { remembering } from './remembering.ts';

export const policies: readonly Policy<Instance, State>[] = [
  planned(
    'documents',
    'Does what a perfect reader of the documents would do: right wherever they answer, wrong wherever practice differs.',
    false,
    ({ instance }) => ({ plan: documentedPlan(instance) }),
  ),
  planned('oracle', 'Knows the rules that hold and follows them.', true, ({ instance }) => ({
    plan: practicePlan(instance),
  })),
  remembering,
  {
    id: 'finish-at-once',
    description: 'Does nothing and says so.',
    privileged: false,
    begin:
      ({ domain }) =>
      (state) =>
        callReply(state.turns.length, 'finish', domain === 'pitch' ? { pitch: 'Have a look.' } : {}),
  },
];
