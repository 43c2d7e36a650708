/** Options of evals that would decide nothing: none is ignored in silence. */
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { addEval } from '../../server/src/cli/eval.ts';
import { type EvalMode, effects, flagOf, givenOptions, refuseIdle } from '../../server/src/cli/eval-modes.ts';
import { buildCommand, type HopscopeCommand } from '../support/command.ts';

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
    ['serving', '--policy', 'oracle'],
    'serving is an environment and no step prompt: give it to --environment, or say which streams with --size or --stream.',
  ],
  [
    ['inventory', '--policy', 'carrier'],
    'inventory is an environment and no step prompt: give it to --environment.',
  ],
  [['serving', '--policy', 'oracle', '--windows', '9'], 'There is no window 9: the longest of these streams'],
  [
    ['p.step.md', '--policy', 'oracle', '--windows', '0'],
    'The episodes of navigator do not come in streams: leave --windows out.',
  ],
])('%j is refused', async (args, sentence) => {
  const { code, err } = await command.run(['eval', ...args]);
  expect(code).toBe(2);
  expect(err.replace(/\s+/g, ' ')).toContain(sentence);
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
