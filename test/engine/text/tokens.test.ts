import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digitValue, isPythonSpace, strip } from '../../../server/src/engine/text/python.ts';
import { countTokens, truncateTokens } from '../../../server/src/engine/text/tokens.ts';
import { describeShared, readVectors } from '../../support/shared.ts';

type Row = { text: string; count: number } | { text: string; max: number; truncated: string };

function check(row: Row): void {
  if ('count' in row) expect(countTokens(row.text)).toBe(row.count);
  else expect(truncateTokens(row.text, row.max)).toBe(row.truncated);
}

describeShared('token vectors', () => {
  const rows = readVectors<Row>('navigator/tokens.jsonl', {
    required: ['text'],
    optional: ['count', 'max', 'truncated'],
  });
  it.each(rows.map((row, line) => ({ row, line: line + 1 })))('line $line', ({ row }) => check(row));
});

/** The definition itself, by regular expression: slow, and independent of the table. */
function slowTokens(text: string): string[] {
  const tokens: string[] = [];
  for (const run of text.match(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_]/gu) ?? []) {
    if (run.length > 1 || !isPythonSpace(run.charCodeAt(0))) tokens.push(run);
  }
  return tokens;
}

/** Text in which every kind of character and every block boundary turns up. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc
    .tuple(fc.constantFrom('a', 'a ', ', ', '\u{1d7d8}', '\u0301'), fc.integer({ min: 500, max: 530 }))
    .map(([piece, times]) => piece.repeat(times)),
);

describe('counting', () => {
  it('counts what the definition says, in any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(countTokens(text)).toBe(slowTokens(text).length);
      }),
    );
  });

  it('adds up over pieces that white space parts', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(countTokens(`${a} ${b}`)).toBe(countTokens(a) + countTokens(b));
      }),
    );
  });
});

describe('truncating', () => {
  it('keeps a prefix of at most that many tokens, and the whole text when it has no more', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: -2, max: 40 }), (text, max) => {
        const cut = truncateTokens(text, max);
        expect(text.startsWith(cut)).toBe(true);
        expect(countTokens(cut)).toBe(Math.max(0, Math.min(max, countTokens(text))));
        if (max > 0 && countTokens(text) <= max) expect(cut).toBe(text);
      }),
    );
  });
});

describe('Python text', () => {
  it.each([
    ['\u001c\u0085 a\u00a0', 'a'],
    ['\ufeffa', '\ufeffa'],
    [' \t\r\n', ''],
    ['\u200ba\u2003', '\u200ba'],
  ])('strips %j to %j', (text, stripped) => expect(strip(text)).toBe(stripped));

  it.each([
    ['7', 7],
    ['\u0663', 3],
    ['\u{1d7ff}', 9],
    ['\u{1d7d8}', 0],
    ['\u00b2', -1],
    ['x', -1],
  ])('reads %j as the digit %d', (text, value) => expect(digitValue(text.codePointAt(0) ?? 0)).toBe(value));
});
