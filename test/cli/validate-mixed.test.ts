/** Files whose instances are of several environments, or of another one than was named. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildCommand, type HopscopeCommand } from '../support/command.ts';

let command: HopscopeCommand;
const made: Record<string, readonly string[]> = {};

beforeAll(async () => {
  command = await buildCommand();
  for (const [environment, split] of [
    ['inventory', 'train'],
    ['log-compression', 'train'],
    ['serving', 'mini_banking_test'],
  ] as const) {
    const args = ['generate', '--environment', environment, '--split', split, '-n', '3', '--out', '-'];
    made[environment] = (await command.run(args)).out.trim().split('\n');
  }
});

afterAll(() => command?.remove());

const lines = (id: string): readonly string[] => made[id] ?? [];

it.each<[string, () => readonly string[], readonly string[], string, string]>([
  [
    'one file of two environments',
    () => [...lines('inventory'), ...lines('serving')],
    [],
    'Lines 4 and 2 more of standard input are instances of serving, not of inventory: validate with --environment serving, each environment by itself.',
    '3 sound, 3 of another environment\n',
  ],
  [
    'an environment that does not fit',
    () => lines('serving'),
    ['--environment', 'inventory'],
    'Lines 1 and 2 more of standard input are instances of serving, not of inventory: validate with --environment serving, each environment by itself.',
    '0 sound, 3 of another environment\n',
  ],
  [
    'a single stranger, and a line that is none',
    () => ['{"a": 1}', ...lines('log-compression').slice(0, 1), ...lines('inventory')],
    ['--environment', 'inventory'],
    'Line 2 of standard input is an instance of log-compression, not of inventory: validate with --environment log-compression, each environment by itself.',
    '3 sound, 1 line that is no instance, 1 of another environment\n',
  ],
])('%s', async (_, input, args, sentence, counts) => {
  const all = input();
  expect(all.length).toBeGreaterThan(2);
  const { code, out, err } = await command.run(['validate', '-', ...args], { input: `${all.join('\n')}\n` });
  expect({ code, out }).toEqual({ code: 1, out: counts });
  // Once, whatever number of lines it is about.
  expect(err.replace(/\s+/g, ' ').split(sentence)).toHaveLength(2);
});

it('tells of each file and each environment once', async () => {
  const first = command.file('first.jsonl', [...lines('inventory'), ...lines('serving')].join('\n'));
  const second = command.file('second.jsonl', [...lines('serving'), ...lines('log-compression')].join('\n'));
  const { code, err, out } = await command.run(['validate', first, second]);
  expect(code).toBe(1);
  expect(out).toBe('3 sound, 9 of another environment\n');
  expect(err.match(/are instances of/g)).toHaveLength(3);
});
