/** Formatting of the front matter of step prompts: tidy, the same in meaning, and nothing below it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { formatYaml } from '../../server/src/engine/prompts/format-yaml.ts';
import { token } from '../support/language.ts';
import { edited, openPrompt, service } from '../support/prompts.ts';

function format(text: string, range: { from: number; to: number } | null = null): string {
  const document = openPrompt(text);
  const line = (at: number) => ({ line: at, character: 0 });
  const [edit, ...others] = service.formatting(
    document,
    range && { start: line(range.from), end: line(range.to) },
    token,
  );
  expect(others).toEqual([]);
  return edit ? edited(document, edit) : text;
}
const messy = `---
format:   1
# What it is for.
environment:  tiny   # small
options: {size: 3,   reward: { beta: 1 } }
sampling:
     temperature:   0.8
     stop: ['a',   "b"]



model:   "m"
---
user:
  {{goal}}   
`;
const tidy = `---
format: 1
# What it is for.
environment: tiny # small
options: { size: 3, reward: { beta: 1 } }
sampling:
  temperature: 0.8
  stop: ['a', "b"]

model: "m"
---
user:
  {{goal}}   
`;

test('tidies the front matter and leaves the rest', () => {
  expect(format(messy)).toBe(tidy);
  expect(format(tidy)).toBe(tidy);
  expect(format(messy.replaceAll('\n', '\r\n'))).toBe(tidy.replaceAll('\n', '\r\n'));
});

test('of a range: the front matter when the range touches it', () => {
  expect(format(messy, { from: 1, to: 2 })).toBe(tidy);
  expect(format(messy, { from: 14, to: 15 })).toBe(messy);
});

test.each([
  '',
  'user:\n  x',
  '---\n---\n',
  '---\n# nothing\n---\n',
  '---\na: [\n---\n',
  '---\na: &x 1\nb:  *x\n---\n',
  '---\n- 1\n---\n',
])('leaves %j alone', (text) => expect(format(text)).toBe(text));

test('whatever it formats means the same and stays as it is', () => {
  const scalar = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true }),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      scalar,
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie('any'), { maxKeys: 3 }),
    ),
  })).any;
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ minLength: 1 }), value, { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
      (data) => {
        const yaml = `${JSON.stringify(data)}\n`;
        const formatted = formatYaml(yaml);
        if (formatted === null) return;
        expect(parse(formatted)).toEqual(parse(yaml));
        expect(formatYaml(formatted)).toBe(formatted);
      },
    ),
  );
});

test('any text is formatted or left alone', () => {
  const piece = fc.constantFrom(
    'a: ',
    'b:',
    '\n',
    '  ',
    '- ',
    '{',
    '}',
    '[',
    ']',
    ',',
    '# c',
    '"',
    "'",
    '|',
    '>',
    '&x',
    '*x',
    '1',
    '\t',
    '\r\n',
    '---',
    '?',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const formatted = formatYaml(pieces.join(''));
      if (formatted !== null) expect(formatYaml(formatted)).toBe(formatted);
    }),
  );
});
