import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildCommand, type HopscopeCommand } from '../support/command.ts';

let command: HopscopeCommand;

beforeAll(async () => {
  command = await buildCommand();
});
afterAll(() => command.remove());

test('the page of the navigator', async () => {
  const { code, out, err } = await command.run(['docs', 'navigator']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^# Navigator\n/);
  expect(out).toContain('\n### question\n\nText, needed.\n');
  expect(out).toContain('\n### map\n\nList, needed or `map_text`.\n');
  expect(out).toContain('- `context_ceiling` (whole number from 1 to 10000000): ');
  expect((await command.run(['docs'])).out).toBe(out);
});

test('a misspelt environment', async () => {
  const { code, out, err } = await command.run(['docs', 'navigater']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain('There is no environment navigater. Did you mean navigator?');
});
