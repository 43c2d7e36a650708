/** Replies of scripted agents: one call of a tool each. */
import type { Reply } from '../../chat.ts';
import type { Policy } from '../../environment.ts';
import type { Instance } from '../instance.ts';
import { lookups, type Plan } from '../plan.ts';
import type { State } from '../state.ts';

/** A reply with one call. */
export function callReply(number: number, name: string, args: object, text = ''): Reply {
  const toolCalls = [{ id: `call_${number}`, name, arguments: JSON.stringify(args) }];
  return { kind: 'reply', text, toolCalls, finish: 'tool_calls' };
}

/** A course to take, and what is said about it in the first reply. */
export interface Course {
  readonly plan: Plan;
  readonly said?: string;
}

/** An agent that looks at what there is, then does what it has planned, a call at a time. */
export function planned(
  id: string,
  description: string,
  privileged: boolean,
  choose: (state: State, seed: string) => Course,
): Policy<Instance, State> {
  return {
    id,
    description,
    privileged,
    begin(instance, seed) {
      let course: Course | null = null;
      return (state) => {
        // The same in every state of an episode, since nothing that it goes by changes.
        course ??= choose(state, seed);
        const { plan, said = '' } = course;
        const calls = [...lookups(instance), ...plan.actions];
        const at = state.turns.length;
        const call = calls[at];
        const text = at === 0 ? said : '';
        if (call !== undefined) return callReply(at, call.name, call.kwargs, text);
        return callReply(at, 'finish', plan.finish, text);
      };
    },
  };
}
