import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addOption,
  indexList,
  keepOption,
  malformedOption,
  nameList,
  wholeNumber,
} from '../../server/src/cli/arguments.ts';

/** What a parser makes of a text: its value, or the message it refuses it with. */
function parsed<T>(parse: (text: string) => T, text: string): T | string {
  try {
    return parse(text);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('wholeNumber', () => {
  const refusal = 'Give a whole number from 1 to 64.';
  const accepted: [string, number | string][] = [
    ['1', 1],
    ['64', 64],
    ['007', 7],
  ];
  const refused = ['0', '65', '-1', '1.5', '1e1', '', ' 1', 'x', '٣', 'NaN', '9'.repeat(400)];
  const cases = [...accepted, ...refused.map((text): [string, string] => [text, refusal])];
  it.each(cases)('%.10s', (text, expected) => expect(parsed(wholeNumber(1, 64), text)).toBe(expected));
});

describe('indexList', () => {
  it.each([
    ['3', [3]],
    ['0-3', [0, 1, 2, 3]],
    ['9, 2-3 ,2', [2, 3, 9]],
    ['', 'Give indices like 0-9,20,300-310.'],
    ['1,', 'Give indices like 0-9,20,300-310.'],
    ['-3', 'Give indices like 0-9,20,300-310.'],
    ['1-', 'Give indices like 0-9,20,300-310.'],
    ['1.5', 'Give indices like 0-9,20,300-310.'],
    ['5-3', 'The range 5-3 runs backwards.'],
    ['1000000000', 'The highest index is 999999999.'],
    ['0-999999999', 'At most 1000000 instances at a time.'],
    ['0-600000,700000-1200000', 'At most 1000000 instances at a time.'],
  ])('%s', (text, expected) => expect(parsed(indexList, text)).toEqual(expected));

  it('is ascending and without repetitions', () => {
    const range = fc.tuple(fc.nat(50), fc.nat(5)).map(([from, more]) => `${from}-${from + more}`);
    fc.assert(
      fc.property(fc.array(range, { minLength: 1 }), (ranges) => {
        const list = indexList(ranges.join(','));
        expect(list).toEqual([...new Set(list)].sort((a, b) => a - b));
      }),
    );
  });
});

describe('nameList', () => {
  it.each([
    ['a', ['a']],
    ['a, b', ['a', 'b']],
    ['a,,b', 'Give names separated by single commas.'],
    ['', 'Give names separated by single commas.'],
    ['a,a', 'A name is there twice.'],
  ])('%s', (text, expected) => expect(parsed(nameList, text)).toEqual(expected));
});

describe('addOption', () => {
  const refusal = 'Write options as key=value, e.g. temperature=0.7.';
  it.each([
    [['a=1'], { a: 1 }],
    [['a=1', 'b=2', 'a=3'], { a: 3, b: 2 }],
    [['a=-0.5'], { a: -0.5 }],
    [['a=true'], { a: true }],
    [['a=x=y'], { a: 'x=y' }],
    [['a='], { a: '' }],
    [['a=2,3'], { a: [2, 3] }],
    [['a=[2]'], { a: [2] }],
    [['a=2,x'], { a: '2,x' }],
    [['reward.beta=0.1', 'reward.r_fail=-1'], { reward: { beta: 0.1, r_fail: -1 } }],
    [['a=1', 'a.b=2'], { a: { b: 2 } }],
    [['a'], refusal],
    [['=1'], refusal],
    [['a.=1'], refusal],
    [['__proto__.x=1'], refusal],
    [['a b=1'], refusal],
  ])('%s', (texts, expected) => {
    const all = () =>
      texts.reduce<Readonly<Record<string, unknown>>>((before, text) => addOption(text, before), {});
    expect(parsed(all, '')).toEqual(expected);
  });

  it('is what keepOption does, which keeps what is malformed for later', () => {
    expect(keepOption('a.b=1', { c: 2 })).toEqual({ a: { b: 1 }, c: 2 });
    expect(malformedOption(keepOption('a.b=1', undefined))).toBeUndefined();
    const given = ['a=1', 'b', '=c'].reduce((before, text) => keepOption(text, before), {});
    expect(malformedOption(given)).toBe('b');
  });
});
