/** Episodes to learn from, as one chat for each step: what an environment's teacher keeps of what its policies play. */
import type { Reply } from '../environments/chat.ts';
import type { AnyInstance, Environment } from '../environments/environment.ts';
import type { Leak, Teacher } from '../environments/teacher.ts';
import { chatRequest } from '../prompts/chat-request.ts';
import type { PromptRenderer } from '../prompts/render-prompt.ts';
import { playEpisode } from './play.ts';

/** `cut-off`: a prompt was too large to be rendered whole. */
export type Verdict = 'kept' | 'incorrect' | 'too-long' | 'leak' | 'cut-off';

/** A leak with the step it is in, from 1. */
export interface TaughtLeak extends Leak {
  readonly step: number;
}

/** One episode, kept or not. */
export interface Taught {
  readonly instance: string;
  readonly policy: string;
  readonly verdict: Verdict;
  /** Empty unless the verdict is `leak`. */
  readonly leaks: readonly TaughtLeak[];
  /** A chat in the form of OpenAI-compatible endpoints for each step, its reply last; empty unless kept. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** What became of many episodes. */
export interface TeachTally {
  readonly sampled: number;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  readonly rows: number;
}

/**
 * Plays `instance` with each of the teacher's policies and keeps the episodes that are correct, not too long and free of
 * leaks; the first of these that fails decides the verdict.
 *
 * @param seed decides every choice of the policies.
 */
export function teach<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  teacher: Teacher<I, S>,
  instance: I,
  options: O,
  prompt: PromptRenderer,
  seed: string,
): readonly Taught[] {
  return teacher.policies.map((id): Taught => {
    const policy = environment.policies.find((it) => it.id === id);
    if (policy === undefined) throw new RangeError(`${environment.id} has no policy ${id}`);
    const { events, outcome } = playEpisode(environment, instance, options, policy, seed);
    const refused = (verdict: Verdict, leaks: readonly TaughtLeak[] = []): Taught => {
      return { instance: instance.id, policy: id, verdict, leaks, rows: [] };
    };
    if (!outcome.correct) return refused('incorrect');
    if (outcome.steps > teacher.maxStepsOverMin * environment.minSteps(instance)) return refused('too-long');
    const rows: Readonly<Record<string, unknown>>[] = [];
    const leaks: TaughtLeak[] = [];
    let state = environment.start(instance, options);
    for (const event of events) {
      const after = environment.advance(state, event);
      if (event.kind === 'reply') {
        const step = teachStep(environment, teacher, instance, state, event, after, prompt);
        if (step === null) return refused('cut-off');
        leaks.push(...step.leaks.map((leak) => ({ step: rows.length + 1, ...leak })));
        rows.push(step.row);
      }
      state = after;
    }
    return leaks.length > 0
      ? refused('leak', leaks)
      : { instance: instance.id, policy: id, verdict: 'kept', leaks, rows };
  });
}

/** The chat of one step and what it leaks; null when its prompt is too large. */
function teachStep<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  teacher: Teacher<I, S>,
  instance: I,
  before: S,
  reply: Reply,
  after: S,
  prompt: PromptRenderer,
): { readonly row: Readonly<Record<string, unknown>>; readonly leaks: readonly Leak[] } | null {
  const observation = environment.observe(before);
  const whole = prompt.render(observation);
  const partial = prompt.render(without(observation, teacher.overview));
  if (whole.truncated !== null || partial.truncated !== null) return null;
  const dialogue = environment.conversation(before);
  const textOf = (messages: typeof dialogue) =>
    [...messages, ...dialogue].map(({ content }) => content).join('\n');
  const need = environment.next(before);
  const { text, toolCalls } = reply;
  const said = {
    role: 'assistant',
    content: text,
    ...(toolCalls === undefined ? {} : { toolCalls }),
  } as const;
  return {
    row: chatRequest({
      model: null,
      messages: [...whole.messages, ...dialogue, said],
      sampling: {},
      tools: need.kind === 'reply' ? (need.tools ?? []) : [],
    }),
    leaks: teacher.leaks(instance, before, reply, after, {
      text: textOf(whole.messages),
      withoutOverview: textOf(partial.messages),
    }),
  };
}

/** An observation in which some names are empty. The rest stays as lazy as it is. */
function without(
  observation: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  return new Proxy(observation, {
    // The observation's own getters must see the observation, not this.
    get: (target, name) => (names.some((it) => it === name) ? '' : Reflect.get(target, name, target)),
  });
}

const nothing: TeachTally = {
  sampled: 0,
  verdicts: { kept: 0, incorrect: 0, 'too-long': 0, leak: 0, 'cut-off': 0 },
  rows: 0,
};

/** Counts the verdicts of episodes, those counted `before` included. */
export function tallyTaught(episodes: readonly Taught[], before: TeachTally = nothing): TeachTally {
  const verdicts = { ...before.verdicts };
  for (const { verdict } of episodes) verdicts[verdict]++;
  return {
    sampled: before.sampled + episodes.length,
    verdicts,
    rows: episodes.reduce((sum, { rows }) => sum + rows.length, before.rows),
  };
}
