/** Plays the events of a transcript against its instance, and again from the first one that changed. */
import type { Event, ToolCall } from '../environments/chat.ts';
import type { AnyInstance, Environment } from '../environments/environment.ts';

/** Why an event was not played: the episode was over, or it needed an event of the other kind. */
export type Fault = 'over' | 'needs-reply' | 'needs-verdict';

/**
 * An event with the states on both sides. Steps are made once: as long as an event and all before it stay what they
 * are, replaying gives the same object again, so that what is derived from one can be kept beside it.
 */
export interface ReplayStep<S = unknown> {
  /** As far as playing goes; its reasoning and usage may be those of an earlier version. */
  readonly event: Event;
  readonly before: S;
  /** The same as `before` for an event that was not played. */
  readonly after: S;
  readonly fault: Fault | null;
}

export interface Replay<S = unknown> {
  readonly first: S;
  /** One for each event. */
  readonly steps: readonly ReplayStep<S>[];
  /** How the episode stands after all of them. */
  readonly last: S;
}

/**
 * Replays `events` from the start.
 *
 * @param previous an earlier replay of the same instance under the same options: its steps are taken over up to the
 *   first event that is played differently.
 */
export function replay<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  instance: I,
  options: O,
  events: readonly Event[],
  previous?: Replay<S>,
): Replay<S> {
  const first = previous?.first ?? environment.start(instance, options);
  const steps: ReplayStep<S>[] = [];
  let state = first;
  let isSame = previous !== undefined;
  for (const [index, event] of events.entries()) {
    const known = isSame ? previous?.steps[index] : undefined;
    isSame = known !== undefined && isPlayedAlike(known.event, event);
    const step = known !== undefined && isSame ? known : play(environment, state, event);
    steps.push(step);
    state = step.after;
  }
  return { first, steps, last: state };
}

function play<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  before: S,
  event: Event,
): ReplayStep<S> {
  const need = environment.next(before).kind;
  if (need === event.kind) return { event, before, after: environment.advance(before, event), fault: null };
  const fault = need === 'nothing' ? 'over' : need === 'reply' ? 'needs-reply' : 'needs-verdict';
  return { event, before, after: before, fault };
}

/** Whether two events change every state in the same way: only text, tool calls and verdicts count. */
export function isPlayedAlike(a: Event, b: Event): boolean {
  if (a === b) return true;
  if (a.kind === 'reply')
    return b.kind === 'reply' && a.text === b.text && haveSameCalls(a.toolCalls, b.toolCalls);
  return b.kind === 'verdict' && a.judge === b.judge && JSON.stringify(a.value) === JSON.stringify(b.value);
}

function haveSameCalls(a: readonly ToolCall[] | undefined, b: readonly ToolCall[] | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.length === b.length &&
    a.every(({ id, name, arguments: raw }, index) => {
      const other = b[index];
      return id === other?.id && name === other.name && raw === other.arguments;
    })
  );
}
