/** Options of evals that would decide nothing: none is ignored in silence. */
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { addEval } from '../../server/src/cli/evals/eval.ts';
import {
  type EvalMode,
  effects,
  flagOf,
  givenOptions,
  refuseIdle,
} from '../../server/src/cli/evals/eval-modes.ts';
import { buildCommand, type HopscopeCommand, parseLines } from '../support/command.ts';

/** The command as it is, whose action only tells which options were given. */
function parse(args: readonly string[]): { command: Command; given: readonly string[] } {
  const program = new Command().exitOverride();
  addEval(program, () => async () => undefined);
  const command = program.commands[0];
  if (command === undefined) throw new Error('there is no command eval');
  program.parse(['eval', ...args], { from: 'user' });
  return { command, given: givenOptions(command) };
}

/** A value for every option, as it is typed. */
const values: Readonly<Record<string, string>> = {
  sampling: 'temperature=0',
  extraBody: '{}',
  shuffleSeed: '1',
  rollouts: '2',
  count: '1',
  start: '1',
  indices: '1',
  option: 'a=1',
  concurrency: '2',
  timeout: '9',
  tries: '2',
  limit: 'requests=5',
  workers: '1',
  windows: '0',
};

const modes: readonly EvalMode[] = ['table', 'policy-run', 'model-run', 'policy-streams', 'model-streams'];

const names = parse([]).command.options.map((option) => option.attributeName());

test('every option is sorted by where it decides anything, and nothing else is', () => {
  expect(Object.keys(effects).sort()).toEqual([...names].sort());
  for (const where of Object.values(effects)) expect(where.length).toBeGreaterThan(0);
});

describe.each(modes)('%s', (mode) => {
  test.each(names)('%s is used or refused by its name', (name) => {
    const option = parse([]).command.options.find((it) => it.attributeName() === name);
    const takesValue = option?.required === true;
    const { given } = parse([flagOf(name), ...(takesValue ? [values[name] ?? 'x'] : [])]);
    expect(given).toEqual([name]);
    const both = name === 'cacheAll' ? ['cache', name] : given;
    const refusal = (): string => {
      try {
        refuseIdle(mode, both);
        return '';
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    };
    const isUsed = effects[name]?.includes(mode) === true;
    if (isUsed) expect(refusal()).toBe('');
    else
      expect(refusal()).toMatch(new RegExp(`^${flagOf(both[0] ?? '')} has no effect .+: leave it out\\.$`));
  });
});

test('what holds by default is not given', () => {
  expect(parse([]).given).toEqual([]);
  for (const mode of modes) expect(() => refuseIdle(mode, [])).not.toThrow();
});

let command: HopscopeCommand;

beforeAll(async () => {
  command = await buildCommand();
  command.file('s.step.md', '---\nformat: 1\nenvironment: serving\n---\nuser:\n{{task_text}}\n');
  command.file(
    'p.step.md',
    '---\nformat: 1\nenvironment: navigator\n---\nuser:\n{{question}}\n{{map_text}}\n{{held_text}}\n',
  );
});

afterAll(() => command?.remove());

const table = ['--policy', 'oracle', '-s', 'train', '-n', '1'];
const model = ['p.step.md', '--model', 'm', '--base-url', 'http://127.0.0.1:9/v1'];
const streams = ['serving', '--policy', 'oracle', '--stream', 'mini_pitch'];

it.each<[readonly string[], string]>([
  [[...table, '--judge-model', 'j'], '--judge-model has no effect where policies play'],
  [[...table, '--prices', 'p.json'], '--prices has no effect where policies play'],
  [[...table, '--estimate'], '--estimate has no effect where policies only print a table; --out keeps a run'],
  [[...table, '-c', '3'], '--concurrency has no effect where policies only print a table'],
  [[...table, '--out', 'o', '--limit', 'tokens=5'], '--limit has no effect where policies play'],
  [[...model, '--seed', '5'], '--seed has no effect where a model plays'],
  [[...model, '--cache-all'], '--cache-all has no effect without --cache'],
  [[...model, '--judge-model', 'j'], 'Nobody judges the episodes of navigator: leave --judge-model out.'],
  [[...model, '--environment', 'inventory'], 'These are for different environments: navigator, inventory.'],
  [[...streams, '-n', '5'], '--count has no effect on streams'],
  [[...streams, '--workers', '2'], '--workers has no effect on streams'],
  [[...streams, '--judge-model', 'j'], '--judge-model has no effect where policies play'],
  [[...streams, '--windows', '2'], 'There is no window 2: mini_pitch has 2, from 0 to 1.'],
  [[...streams, '--environment', 'navigator'], 'These are for different environments: serving, navigator.'],
  [['p.step.md', '--stream', 'mini_retail', '--model', 'm', '--judge-model', 'j'], 'do not come in streams'],
  [
    ['s.step.md', '--stream', 'mini_retail,mini_banking', ...model.slice(1), '--judge-model', 'j'],
    'Nobody judges the episodes of mini_retail, mini_banking: leave --judge-model out.',
  ],
  [
    ['serving', '--policy', 'oracle', '-n', '3'],
    '--count has no effect on streams, which have tasks, order and pace of their own (--environment plays single episodes): leave it out.',
  ],
  [['serving', '--policy', 'oracle', '--suite', 's.json'], '--suite has no effect on streams'],
  [['serving'], 'Name a step prompt for a model to play with, or policies with --policy.'],
  ...['--stream', '--method', '--size', '--windows'].map((flag): [readonly string[], string] => [
    ['--policy', 'oracle', flag, flag === '--windows' ? '0' : 'mini_banking'],
    `No environment is named, and the episodes of navigator do not come in streams: put serving in the place of a step prompt, as in "hopscope eval serving ${flag} …", or leave ${flag} out.`,
  ]),
  [
    ['inventory', '--policy', 'carrier'],
    'inventory is an environment and no step prompt: give it to --environment.',
  ],
  [['serving', '--policy', 'oracle', '--windows', '9'], 'There is no window 9: the longest of these streams'],
  [
    ['p.step.md', '--policy', 'oracle', '--windows', '0'],
    'The episodes of navigator do not come in streams: leave --windows out. Those of serving do.',
  ],
])('%j is refused', async (args, sentence) => {
  const { code, err } = await command.run(['eval', ...args]);
  expect(code).toBe(2);
  expect(err.replace(/\s+/g, ' ')).toContain(sentence);
});

it.each<[string, readonly string[]]>([
  ['by its name alone', []],
  ['with options of episodes', ['-o', 'turns=90']],
  ['with a folder', ['--out', 'kept']],
  ['with another seed', ['--seed', '7']],
])('plays the small streams of an environment %s', async (_, more) => {
  const { code, out, err } = await command.run(['eval', 'serving', '--policy', 'oracle', ...more]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  for (const name of ['mini_retail', 'mini_banking', 'mini_pitch']) expect(out).toContain(`${name} `);
});

it('tells in its help what machines are told of streams, and where results go', async () => {
  const [{ out: help }, { out }] = await Promise.all([
    command.run(['eval', '--help']),
    command.run(['eval', ...streams, '--method', 'blind,rag', '--leaderboard', '--json']),
  ]);
  const kinds = new Set(parseLines(out).flatMap((line) => Object.keys(line as object)));
  expect(kinds.size).toBeGreaterThan(2);
  const words = help.replace(/\s+/g, ' ');
  for (const kind of kinds) expect(words).toContain(`{"${kind}": …}`);
  expect(words).toContain('(default: "results" for models, and none for policies)');
  expect(words).toContain('serving in their place plays streams');
});

it('plays streams when anything about streams is said', async () => {
  const { code, out } = await command.run([
    'eval',
    'serving',
    '--policy',
    'oracle',
    '--leaderboard',
    '--json',
  ]);
  expect(code).toBe(0);
  expect(out).toContain('"leaderboard":{"caveat"');
});

it('says that an estimate of policies takes no model', async () => {
  const { code, out } = await command.run(['eval', ...table, '--out', 'o', '--estimate']);
  expect({ code, out }).toEqual({ code: 0, out: '1 episode, for which no model is asked.\n' });
});
