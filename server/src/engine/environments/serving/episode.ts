/** The episode as a fold: one reply with one call at a time, until finish is accepted or a limit is reached. */
import protocol from '../../../../../prompts/serving/protocol.json' with { type: 'json' };
import type { ChatMessage, Event, Need, Reply, ToolCall, Verdict } from '../chat.ts';
import type { Outcome } from '../environment.ts';
import { type Arguments, isShallow } from './arguments.ts';
import { fill } from './fill.ts';
import { type Finish, readFinish } from './finish.ts';
import type { Instance } from './instance.ts';
import { metricsOf } from './metrics.ts';
import type { Options } from './options.ts';
import { judgeMessages, readVerdict } from './pitch/judge.ts';
import { type Judgement, judgeByPhrases } from './pitch/lexicon.ts';
import { countWords, pointsOf } from './pitch/rubric.ts';
import { weigh } from './pitch/tastes.ts';
import type { InvalidReason, State, Stop, Turn } from './state.ts';
import { callTool, openWorld, toolSpecs } from './toolbox.ts';
import { verify } from './verify.ts';

export type { State } from './state.ts';

/** So many verdicts that cannot be read end an episode without a score. */
const patience = 4;

/** The judge's name in rows when phrases decide. */
const phrases = 'phrases';

/** Begins an episode in a clean world. */
export function start(instance: Instance, options: Options): State {
  const world = openWorld(instance);
  return {
    instance,
    options,
    clean: world,
    world,
    messages: [],
    turns: [],
    calls: 0,
    outputTokens: 0,
    replies: 0,
    finish: null,
    verified: null,
    pitch: null,
    badVerdicts: 0,
    stop: null,
  };
}

/** What is needed to go on. */
export function next({ instance, finish, stop }: State): Need {
  if (stop !== null) return { kind: 'nothing' };
  if (finish !== null && instance.own.domain === 'pitch') {
    const messages = judgeMessages(instance.own.sheet, finish.pitch ?? '');
    return { kind: 'verdict', judge: 'pitch', messages };
  }
  return { kind: 'reply', tools: toolSpecs(instance) };
}

/** Folds one event in. @throws RangeError when the episode is over, or another kind of event is needed. */
export function advance(state: State, event: Event): State {
  const need = next(state).kind;
  if (need !== event.kind) throw new RangeError(`a ${event.kind} came where the episode needs ${need}`);
  return event.kind === 'reply' ? limited(afterReply(state, event)) : afterVerdict(state, event);
}

/** English text has about as many characters to a token, and no text that a model writes has as many as the other. */
const charactersPerToken = 4;
const mostCharactersPerToken = 32;

/**
 * Tokens of a reply: as the endpoint counts them, or else by the length of its texts. An endpoint that counts too few for that
 * length cannot make an episode larger than the limit lets it be.
 */
function outputOf({ text, reasoning = '', toolCalls = [], usage }: Reply): number {
  const called = toolCalls.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);
  const length = text.length + reasoning.length + called;
  const counted = usage?.output ?? Math.ceil(length / charactersPerToken);
  return Math.max(counted, Math.ceil(length / mostCharactersPerToken));
}

/** How a turn comes out, before it is written down. */
interface Answered {
  readonly turn: Turn;
  readonly world?: State['world'];
  readonly finish?: Finish;
}

function afterReply(state: State, reply: Reply): State {
  const calls = reply.toolCalls ?? [];
  const counted = {
    ...state,
    replies: state.replies + 1,
    outputTokens: state.outputTokens + outputOf(reply),
  };
  if (reply.finish === 'context') return overflown(counted, reply);
  const said: ChatMessage = {
    role: 'assistant',
    content: reply.text,
    ...(reply.reasoning === undefined ? {} : { reasoning: reply.reasoning }),
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
  };
  const [call, ...others] = calls;
  const isCutOff = reply.finish === 'length';
  if (call === undefined) {
    const reason = isCutOff ? 'length' : 'no_action';
    return write(counted, reply, [said, { role: 'user', content: protocol[reason] }], {
      turn: invalid(reason, protocol[reason], null, null),
    });
  }
  const answered = answer(state, call, others, isCutOff);
  const results = calls.map(
    ({ id }): ChatMessage => ({ role: 'tool', toolCallId: id, content: answered.turn.observation }),
  );
  return write(counted, reply, [said, ...results], answered);
}

function answer(state: State, call: ToolCall, others: readonly ToolCall[], isCutOff: boolean): Answered {
  const { name } = call;
  const all = [call, ...others];
  if (isCutOff) return { turn: invalid('length', protocol.length_with_calls, name, null) };
  if (others.length > 0) {
    const reason = all.some((it) => it.name === 'finish') ? 'finish_with_tool' : 'multi_action';
    return { turn: invalid(reason, protocol[reason], null, null) };
  }
  if (!toolSpecs(state.instance).some((it) => it.name === name)) {
    return { turn: invalid('unknown_tool', fill(protocol.unknown_tool, { name }), name, null) };
  }
  const args = readArguments(call.arguments);
  if (args === null) return { turn: invalid('schema_invalid', protocol.not_object, name, null) };
  if (name === 'finish') return answerFinish(state, args);
  if (state.calls >= state.options.tool_calls) {
    const observation = fill(protocol.tool_cap, { limit: state.options.tool_calls });
    return { turn: { kind: 'tool', name, args, observation, ok: false, reply: null } };
  }
  const result = callTool(state.instance, state.world, name, args);
  if (result.invalid !== undefined) {
    const observation = fill(protocol.bad_arguments, { problem: result.problem ?? '' });
    return { turn: invalid(result.invalid, observation, name, args) };
  }
  return {
    turn: { kind: 'tool', name, args, observation: result.text, ok: result.ok, reply: null },
    world: result.world,
  };
}

function answerFinish({ instance }: State, args: Arguments): Answered {
  const read = readFinish(instance.domain, args);
  if ('problem' in read) {
    const observation = fill(protocol.bad_finish, { problem: read.problem });
    return { turn: invalid('schema_invalid', observation, 'finish', args) };
  }
  return {
    turn: { kind: 'finish', name: 'finish', args, observation: protocol.accepted, ok: true, reply: null },
    finish: read.finish,
  };
}

function invalid(
  reason: InvalidReason,
  observation: string,
  name: string | null,
  args: Arguments | null,
): Turn {
  return { kind: 'invalid', reason, name, args, observation, ok: false, reply: null };
}

/** The arguments of a call; null unless they are a JSON object of a depth that can be printed again. No text at all is none. */
function readArguments(text: string): Arguments | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return isShallow(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function write(state: State, reply: Reply, messages: readonly ChatMessage[], answered: Answered): State {
  const { turn, world = state.world, finish = null } = answered;
  const ran = turn.kind === 'tool' && state.calls < state.options.tool_calls;
  const written: State = {
    ...state,
    world,
    messages: [...state.messages, ...messages],
    turns: [...state.turns, { ...turn, reply }],
    calls: state.calls + (ran ? 1 : 0),
    finish,
  };
  return finish === null ? written : finished(written, finish);
}

function finished(state: State, finish: Finish): State {
  const { instance, options } = state;
  const { own } = instance;
  if (own.domain !== 'pitch') {
    return { ...state, verified: verify(instance, state.world, finish), stop: 'finished' };
  }
  if (options.judge === 'model') return state;
  return scored(state, phrases, judgeByPhrases(own.sheet, finish.pitch ?? ''));
}

function afterVerdict(state: State, { judge, value }: Verdict): State {
  const { own } = state.instance;
  if (own.domain !== 'pitch') return state;
  const read = readVerdict(own.sheet, value);
  if (read.ok) return scored(state, judge, read.value);
  const badVerdicts = state.badVerdicts + 1;
  return { ...state, badVerdicts, stop: badVerdicts >= patience ? 'judge-error' : null };
}

function scored(state: State, judge: string, { marks, invented }: Judgement): State {
  const { own } = state.instance;
  if (own.domain !== 'pitch') return state;
  const weights = own.sheet.facts.map((fact) => weigh(own.persona, fact));
  const points = pointsOf({ weights, marks, invented, words: countWords(state.finish?.pitch ?? '') });
  return { ...state, pitch: { judge, marks, invented, points }, stop: 'finished' };
}

/** A conversation that no longer fits the model: the episode ends as it stands. */
function overflown(state: State, reply: Reply): State {
  return ended(state, 'context-overflow', { kind: 'error', reason: 'context_overflow', ...nothing, reply });
}

const nothing = { name: null, args: null, observation: '', ok: false, reply: null } as const;

/** Ends an episode whose limit is reached and which has not finished. */
function limited(state: State): State {
  if (state.stop !== null || state.finish !== null) return state;
  if (state.outputTokens >= state.options.output_tokens) {
    return ended(state, 'token-cap', { kind: 'capped', reason: 'token_cap', ...nothing });
  }
  if (state.replies >= state.options.turns) {
    return ended(state, 'step-cap', { kind: 'capped', reason: 'step_cap', ...nothing });
  }
  return state;
}

function ended(state: State, stop: Stop, turn: Turn): State {
  return { ...state, turns: [...state.turns, turn], stop };
}

/** From 0 to 1. */
export function rewardOf({ verified, pitch }: State): number {
  if (pitch !== null) return pitch.points.score / 100;
  return verified?.world && verified.answer ? 1 : 0;
}

/** How the episode stands. */
export function outcome(state: State): Outcome {
  const done = state.stop !== null;
  const reward = done ? rewardOf(state) : 0;
  return {
    done,
    reward,
    // A pitch is solved when nothing is left to be wished for.
    correct: done && reward >= 1,
    stop: state.stop ?? 'unfinished',
    steps: state.replies,
    metrics: metricsOf(state),
  };
}
