/** Prefix patterns: Python's meaning, the published ones, and patterns that would stop a backtracking matcher. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collapse } from '../../../server/src/engine/environments/log-compression/fidelity.ts';
import { PREFIXES, prefixMatcher } from '../../../server/src/engine/environments/log-compression/prefix.ts';
import { compress } from '../../../server/src/engine/environments/log-compression/reference.ts';
import {
  estimateTokens,
  idealRatio,
} from '../../../server/src/engine/environments/log-compression/scoring.ts';

function stripped(pattern: string, line: string): string {
  const matcher = prefixMatcher(pattern);
  if (!matcher.ok) throw new Error(matcher.error);
  return line.slice(matcher.value(line));
}

describe('a prefix is taken off', () => {
  it.each([
    [PREFIXES.timestamp, '12:00:01.480 ERROR x', 'ERROR x'],
    [PREFIXES.timestamp, '  1:02:03x', 'x'],
    [PREFIXES.timestamp, '12:00:01 12:00:02 x', '12:00:02 x'],
    [PREFIXES.timestamp, 'at 12:00:01 x', 'at 12:00:01 x'],
    [PREFIXES.timestamp, '१२:००:०१ x', 'x'],
    [PREFIXES.req_id, 'req-ab-1_c : x', 'x'],
    [PREFIXES.req_id, 'req-äß: x', 'x'],
    [PREFIXES.req_id, '\u001freq-1:\u0085x', 'x'],
    [PREFIXES.req_id, '\ufeffreq-1: x', '\ufeffreq-1: x'],
    [PREFIXES.line_num, ' line  12 | x', 'x'],
    [PREFIXES.line_num, '12-14: x', '12-14: x'],
    [PREFIXES.mixed_noise, '2025-01-02T03:04:05.1234567Z x', 'x'],
    [PREFIXES.mixed_noise, '2025-01-02 03:04:05,123 x', 'x'],
    ['', ' x', ' x'],
    ['^\\[\\d+\\]\\s', '[१2] x', 'x'],
    ['^(?P<id>\\w+)\\W', 'é1-x', 'x'],
    ['[\\D]+', 'abc1', '1'],
    ['[^]x]+', 'abc]x', ']x'],
    ['x', 'ax', 'ax'],
  ])('%j from %j', (pattern, line, rest) => {
    expect(stripped(pattern, line)).toBe(rest);
  });

  it('by the same rules whichever matcher does it', () => {
    for (const pattern of Object.values(PREFIXES).filter((it) => it !== '')) {
      const other = `(?:${pattern})`;
      fc.assert(
        fc.property(
          fc.array(fc.constantFrom(...'req-line 0123456789:.|TZ-_,é१\u00a0\u0085\u001c\ufeff\t\r🔥')),
          (characters) => {
            const line = characters.join('');
            expect(stripped(other, line)).toBe(stripped(pattern, line));
          },
        ),
      );
    }
  });

  it.each(['^(a+)+$', '^(a|a)*b', '^(\\s*)*x', '^\\s*\\s*\\s*\\s*\\s*\\s*x', '^(a*)*(a*)*(a*)*b'])(
    'by %s without hanging',
    (pattern) => {
      stripped(pattern, `${'a'.repeat(2000)}!`);
      stripped(pattern, `${' '.repeat(2000)}!`);
    },
  );
});

it('white space is collapsed as in Python', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          'a',
          'é',
          ' ',
          '  ',
          '\t',
          '\r',
          '\u00a0',
          '\u0085',
          '\u001c',
          '\u2028',
          '\ufeff',
          '🔥',
        ),
      ),
      (parts) => {
        const text = parts.join('');
        // What splitting at white space and joining with single spaces gives.
        // biome-ignore lint/suspicious/noControlCharactersInRegex: Python takes these for white space.
        const words = text.split(/[\t-\r\u001c-\u0020\u0085\u00a0\u2028]+/).filter(Boolean);
        expect(collapse(text)).toBe(words.join(' '));
      },
    ),
  );
});

it.each([
  ['', 1],
  ['1234567', 1],
  ['12345678', 2],
  ['🔥'.repeat(8), 2],
  ['\ud83d'.repeat(8), 2],
])('%j has %s tokens', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

it.each([
  [4, 32, 0.125],
  [1, 32, 0.0312],
  [3, 32, 0.0938],
  [1, 3, 0.3333],
  [2, 3, 0.6667],
])('%s of %s tokens are an ideal ratio of %s', (part, whole, ratio) => {
  expect(idealRatio(['x'.repeat(part * 4)], whole)).toBe(ratio);
});

describe('the reference compressor', () => {
  it.each([
    ['\u001b[31mERROR a\u001b[0m  \n\n  \n', 'ERROR a'],
    ['10%\r50%\rERROR a\r\nx', 'ERROR a\nx'],
    ['1: DEBUG a\n2: b\n3: DEBUG failed', '2: b\n3: DEBUG failed'],
    ['1: error a\n2: b\n7: error a', '1: error a\n  (x2)\n2: b'],
    ['node a up\nnode b up\nerror node\nnode c up', 'node a up\n  (+2 more)\nerror node'],
    ['node a up\nnode b up', 'node a up\nnode b up'],
    [
      `error ${'x'.repeat(200)}\nnote ${'y'.repeat(200)}`,
      `error ${'x'.repeat(200)}\nnote ${'y'.repeat(155)}…`,
    ],
    ['', ''],
  ])('%j', (raw, output) => {
    expect(compress(raw)).toBe(output);
  });

  it('keeps forty lines, and every line that looks like an error beyond', () => {
    const lines = Array.from({ length: 60 }, (_, at) => `n${at} note`);
    const errors = Array.from({ length: 39 }, (_, at) => `e${at} error`);
    expect(compress(lines.join('\n')).split('\n')).toHaveLength(40);
    expect(compress([...lines, ...errors].join('\n')).split('\n')).toHaveLength(40);
    expect(
      compress([...lines, ...errors, ...errors.map((it) => `${it}!`)].join('\n')).split('\n'),
    ).toHaveLength(78);
  });

  it('merges errors that begin alike when it is to be lossy', () => {
    expect(compress('error a\nerror b\nx y', { lossy: true })).toBe('error a\n  (+1 more)\nx y');
  });
});
