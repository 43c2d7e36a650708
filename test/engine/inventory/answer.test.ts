import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findBlocks, parseAnswer } from '../../../server/src/engine/environments/inventory/answer.ts';
import { answerProblems } from '../../../server/src/engine/environments/inventory/answer-problems.ts';
import { grade } from '../../../server/src/engine/environments/inventory/grade.ts';
import { describeShared, readVectors } from '../../support/shared.ts';

interface Row {
  readonly id: string;
  readonly note: string;
  readonly reply: string;
  readonly truth: readonly string[];
  readonly parsed: readonly string[] | null;
  readonly reward: number;
  readonly missing: readonly string[];
  readonly extra: readonly string[];
  /** Where the published description leaves room, what another reading gives. */
  readonly ambiguous?: boolean;
  readonly alt_reward?: number;
}

describeShared('replies of the inventory', () => {
  const rows = readVectors<Row>('inventory.jsonl', {
    required: ['id', 'note', 'reply', 'truth', 'parsed', 'reward', 'missing', 'extra'],
    optional: ['ambiguous', 'alt_reward'],
  });

  it.each(rows)('$id: $note', ({ reply, truth, parsed, reward, missing, extra }) => {
    const found = parseAnswer(reply);
    expect(found === null ? null : [...found].sort()).toEqual(parsed);
    expect(grade(found, truth)).toEqual({ reward, missing, extra });
  });
});

describe('the block that counts', () => {
  it.each([
    ['<answer>a</answer> <answer>b</answer>', ['a'], ['b']],
    ['<answer>a</answer> <answer>b', ['a'], ['a']],
    ['<answer>a <answer>b</answer>', ['a <answer>b'], ['a <answer>b']],
    ['</answer><answer>a</answer>', ['a'], ['a']],
    ['<ANSWER>a</ANSWER>', null, null],
    ['< answer>a</answer>', null, null],
    ['', null, null],
  ])('of %j', (reply, first, last) => {
    expect(parseAnswer(reply, 'first')).toEqual(first);
    expect(parseAnswer(reply, 'last')).toEqual(last);
  });
});

it.each([
  ['a; b\nc, d', ['a', 'b', 'c', 'd']],
  ['a\r\nb\rc', ['a', 'b', 'c']],
  ['• a\n* b\n- c', ['a', 'b', 'c']],
  ['“a”, ‘b’, `c`', ['a', 'b', 'c']],
  ['(a, b)', ['a', 'b']],
  ["{'a', 'b'}", ['a', 'b']],
  ['[a], [b]', ['[a]', '[b]']],
  ['(empty)', []],
  ['Nothing', []],
  ['"NONE"', []],
  ['none, a', ['none', 'a']],
  ['a, A, a', ['a']],
  ['a. b', ['a. b']],
  ['tin-cup', ['tin-cup']],
  [',;\n', []],
])('the items of %j', (content, items) => {
  expect(parseAnswer(`<answer>${content}</answer>`)).toEqual(items);
});

/** Text with many tags in it. */
const tagged = fc
  .array(
    fc.oneof(fc.constantFrom('<answer>', '</answer>', '<answer a="1">', '[', ']', ',', '\n'), fc.string()),
  )
  .map((parts) => parts.join(''));

it('any text can be read, and spelling does not matter to what it is worth', () => {
  fc.assert(
    fc.property(tagged, fc.constantFrom('first' as const, 'last' as const), (text, which) => {
      const items = parseAnswer(text, which);
      expect(items === null).toBe(findBlocks(text).length === 0);
      for (const problem of answerProblems(text)) {
        expect(problem.start).toBeGreaterThanOrEqual(0);
        expect(problem.end).toBeLessThanOrEqual(text.length);
      }
      if (items !== null) expect(new Set(items).size).toBe(items.length);
    }),
  );
  const key = fc.stringMatching(/^[a-z]{1,6}-[a-z]{1,6}$/);
  fc.assert(
    fc.property(
      fc.uniqueArray(key, { maxLength: 8 }),
      fc.constantFrom(', ', '\n', '; ', '\n- '),
      (keys, separator) => {
        const reply = `<answer>${separator}${[...keys].reverse().join(separator).toUpperCase()}</answer>`;
        expect(grade(parseAnswer(reply), keys)).toEqual({ reward: 1, missing: [], extra: [] });
      },
    ),
  );
});

it('hostile text takes no time to speak of', () => {
  const opened = '<answer>'.repeat(100_000);
  expect(parseAnswer(opened)).toBeNull();
  expect(parseAnswer(`${opened}</answer>`)).toHaveLength(1);
  expect(parseAnswer('<answer></answer>'.repeat(50_000))).toEqual([]);
  expect(parseAnswer(`<answer>${'-'.repeat(200_000)}a${' '.repeat(200_000)}</answer>`)).toEqual(['a']);
  expect(answerProblems('<answer '.repeat(50_000)).length).toBeGreaterThan(0);
});

it.each([
  ['no block', 'answer.missing', 0, 8],
  ['so: <answer>a', 'answer.unclosed', 4, 12],
  ['<answer>a <answer>b</answer>', 'answer.nested', 10, 18],
])('problems of %j', (text, code, start, end) => {
  expect(answerProblems(text)).toMatchObject([{ code, start, end }]);
});

it('a tag with more in it is no tag', () => {
  expect(answerProblems('<Answer>a</answer>').map(({ code }) => code)).toEqual([
    'answer.tag',
    'answer.missing',
  ]);
  expect(answerProblems('xx<answer>a</answer>', 2)).toEqual([]);
});
