/** Every kind of turn and every limit of the protocol, row by row: what is said, and the exact end it comes to. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Reply, ToolCall } from '../../../server/src/engine/environments/chat.ts';
import { scenarioTasks } from '../../../server/src/engine/environments/serving/build.ts';
import {
  advance,
  outcome,
  type State,
  start,
} from '../../../server/src/engine/environments/serving/episode.ts';
import type { Instance } from '../../../server/src/engine/environments/serving/instance.ts';
import { defaultOptions } from '../../../server/src/engine/environments/serving/options.ts';
import { findScenario } from '../../../server/src/engine/environments/serving/scenarios.ts';
import type { TurnKind } from '../../../server/src/engine/environments/serving/state.ts';
import { parseStepPrompt } from '../../../server/src/engine/prompts/step-prompt.ts';

const calls = (...list: readonly (readonly [string, unknown])[]): Reply => ({
  kind: 'reply',
  text: '',
  toolCalls: list.map(
    ([name, args], at): ToolCall => ({
      id: `c${at}`,
      name,
      arguments: typeof args === 'string' ? args : JSON.stringify(args),
    }),
  ),
});
const text: Reply = { kind: 'reply', text: 'Hm.' };
const cut = (reply: Reply): Reply => ({ ...reply, finish: 'length' });
const spent = (reply: Reply, output: number): Reply => ({ ...reply, usage: { input: 1, output } });
const often = (count: number, reply: Reply) => Array.from({ length: count }, () => reply);
const read = calls(['read_docs', { doc: 'policy' }]);
const done = calls(['finish', {}]);

interface Row {
  readonly replies: readonly Reply[];
  /** The last turn, as `kind` or `kind/reason`. */
  readonly last: string;
  readonly stop: string;
  /** Calls of tools that were carried out. */
  readonly calls: number;
  /** What the agent read last. */
  readonly told?: RegExp;
}

const big = JSON.stringify({ doc: 'x'.repeat(6_000_000) });

const rows: Readonly<Record<string, Row>> = {
  'a tool': { replies: [read], last: 'tool', stop: 'unfinished', calls: 1 },
  'a finish': { replies: [done], last: 'finish', stop: 'finished', calls: 0, told: /^\{"accepted": true\}$/ },
  'no call': { replies: [text], last: 'invalid/no_action', stop: 'unfinished', calls: 0 },
  'cut off without a call': { replies: [cut(text)], last: 'invalid/length', stop: 'unfinished', calls: 0 },
  'cut off with a call': { replies: [cut(read)], last: 'invalid/length', stop: 'unfinished', calls: 0 },
  'cut off with a finish': { replies: [cut(done)], last: 'invalid/length', stop: 'unfinished', calls: 0 },
  'several calls': {
    replies: [calls(['read_docs', { doc: 'policy' }], ['read_docs', { doc: 'policy' }])],
    last: 'invalid/multi_action',
    stop: 'unfinished',
    calls: 0,
  },
  'a finish beside a call': {
    replies: [calls(['read_docs', { doc: 'policy' }], ['finish', {}])],
    last: 'invalid/finish_with_tool',
    stop: 'unfinished',
    calls: 0,
  },
  'arguments that are no object': {
    replies: [calls(['read_docs', '[1]'])],
    last: 'invalid/schema_invalid',
    stop: 'unfinished',
    calls: 0,
  },
  'a finish that is rejected, then one that is not': {
    replies: [calls(['finish', { decision: 'refuse' }]), done],
    last: 'finish',
    stop: 'finished',
    calls: 0,
  },
  'an unknown tool': {
    replies: [calls(['wave', {}])],
    last: 'invalid/unknown_tool',
    stop: 'unfinished',
    calls: 0,
  },
  '50 tool calls': { replies: often(50, read), last: 'tool', stop: 'unfinished', calls: 50 },
  'the 51st tool call': {
    replies: often(51, read),
    last: 'tool',
    stop: 'unfinished',
    calls: 50,
    told: /50 tool calls/,
  },
  'a finish after 50 tool calls': {
    replies: [...often(50, read), done],
    last: 'finish',
    stop: 'finished',
    calls: 50,
  },
  '99 turns': { replies: often(99, text), last: 'invalid/no_action', stop: 'unfinished', calls: 0 },
  'the 100th turn': { replies: often(100, text), last: 'capped/step_cap', stop: 'step-cap', calls: 0 },
  'a finish in the 100th turn': {
    replies: [...often(99, text), done],
    last: 'finish',
    stop: 'finished',
    calls: 0,
  },
  '255,999 output tokens': {
    replies: [spent(text, 255_999)],
    last: 'invalid/no_action',
    stop: 'unfinished',
    calls: 0,
  },
  '256,000 output tokens': {
    replies: [spent(read, 190_464), spent(text, 65_536)],
    last: 'capped/token_cap',
    stop: 'token-cap',
    calls: 1,
  },
  'texts so long that the count cannot be true': {
    replies: [{ ...calls(['read_docs', big], ['read_docs', big]), usage: { input: 1, output: 1 } }],
    last: 'capped/token_cap',
    stop: 'token-cap',
    calls: 0,
  },
  'texts without a count': {
    replies: [{ kind: 'reply', text: 'four'.repeat(256_000) }],
    last: 'capped/token_cap',
    stop: 'token-cap',
    calls: 0,
  },
  'shorter texts without a count': {
    replies: [{ kind: 'reply', text: 'four'.repeat(255_999) }],
    last: 'invalid/no_action',
    stop: 'unfinished',
    calls: 0,
  },
  'arguments that are no text at all': {
    replies: [calls(['read_docs', ''])],
    last: 'invalid/schema_invalid',
    stop: 'unfinished',
    calls: 0,
  },
  'a finish with the last token': {
    replies: [spent(done, 256_000)],
    last: 'finish',
    stop: 'finished',
    calls: 0,
  },
  'a conversation that is too long': {
    replies: [read, { ...text, finish: 'context' }],
    last: 'error/context_overflow',
    stop: 'context-overflow',
    calls: 1,
  },
};

function instance(): Instance {
  const scenario = findScenario('mini_retail');
  // One that is refused: whoever merely finishes is wrong.
  const found =
    scenario && scenarioTasks(scenario, 0).serving.find((it) => it.evaluator.answer.kind === 'refuse');
  if (found === undefined) throw new Error('no task');
  return found;
}

const named = (turn: TurnKind | undefined) =>
  turn === undefined ? '' : 'reason' in turn ? `${turn.kind}/${turn.reason}` : turn.kind;

test.each(Object.entries(rows))('%s', (_, { replies, last, stop, calls: carriedOut, told }) => {
  const state = replies.reduce<State>(advance, start(instance(), defaultOptions));
  expect(named(state.turns.at(-1))).toBe(last);
  expect(outcome(state)).toMatchObject({
    stop,
    done: stop !== 'unfinished',
    reward: 0,
    steps: replies.length,
  });
  expect(state.calls).toBe(carriedOut);
  if (told !== undefined) expect(state.messages.at(-1)?.content).toMatch(told);
});

test('no kind and no reason is missing above', () => {
  type Named<T> = T extends { kind: infer K extends string; reason: infer R extends string }
    ? `${K}/${R}`
    : T extends { kind: infer K extends string }
      ? K
      : never;
  const all: Readonly<Record<Named<TurnKind>, true>> = {
    tool: true,
    finish: true,
    'invalid/no_action': true,
    'invalid/length': true,
    'invalid/multi_action': true,
    'invalid/finish_with_tool': true,
    'invalid/schema_invalid': true,
    'invalid/unknown_tool': true,
    'capped/step_cap': true,
    'capped/token_cap': true,
    'error/context_overflow': true,
  };
  const found = new Set(Object.values(rows).map(({ last }) => last));
  expect([...found].sort()).toEqual(Object.keys(all).sort());
});

test('a call puts out 65,536 tokens at most', () => {
  const file = path.resolve(import.meta.dirname, '../../../prompts/serving/serving.step.md');
  expect(parseStepPrompt(readFileSync(file, 'utf8')).prompt.sampling).toMatchObject({ max_tokens: 65_536 });
});
