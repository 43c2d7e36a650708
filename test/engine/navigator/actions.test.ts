import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Action,
  canonicalAction,
  type ParseCode,
  parseAction,
} from '../../../server/src/engine/environments/navigator/actions.ts';
import { describeShared, readVectors } from '../../support/shared.ts';

type Expected = { kind: string; ids: string[]; text: string | null } | { error: string };

function plain(action: Action): Expected {
  if (action.kind === 'error') return { error: action.code };
  return { kind: action.kind, ids: [...action.ids], text: action.text };
}

function parsesAs(reply: string, expected: Expected): void {
  expect(plain(parseAction(reply))).toEqual(expected);
}

describeShared('action vectors', () => {
  const rows = readVectors<{ text: string; result: Expected }>('navigator/actions.jsonl', {
    required: ['text', 'result'],
    optional: ['note'],
  });
  it.each(
    rows.map((row, line) => ({ ...row, name: `${line + 1}: ${JSON.stringify(row.text).slice(0, 60)}` })),
  )('line $name', ({ text, result }) => parsesAs(text, result));
});

describe('where the action stands', () => {
  it('is the last tagged line, whatever ends the lines', () => {
    const breaks = ['\n', '\r', '\r\n', '\v', '\f', '\x1c', '\x1d', '\x1e', '\x85', '\u2028', '\u2029'];
    for (const end of breaks) {
      parsesAs(`ACTION: DROP 1${end}ACTION: READ 2`, { kind: 'READ', ids: ['2'], text: null });
      parsesAs(`ACTION: COMPRESS 1 ::${end}a${end}${end} b `, { kind: 'COMPRESS', ids: ['1'], text: 'a b' });
      parsesAs(`x${end}answer 7${end}`, { kind: 'ANSWER', ids: [], text: '7' });
    }
  });

  it('is not split at white space that ends no line', () => {
    for (const space of [' ', '\t', '\x1f', '\xa0', '\u3000']) {
      parsesAs(`x${space}ACTION: READ 2`, { error: 'unknown-verb' });
      parsesAs(`${space}ACTION:${space}READ${space}2${space}`, { kind: 'READ', ids: ['2'], text: null });
    }
  });

  it('knows the dotless i in the tag and the long s in verbs, and no other look-alike', () => {
    parsesAs('act\u0131on: drop 1\nx', { kind: 'DROP', ids: ['1'], text: null });
    parsesAs('ACT\u0130ON: DROP 1\nx', { error: 'unknown-verb' });
    parsesAs('compre\u017f\u017f 1 :: x', { kind: 'COMPRESS', ids: ['1'], text: 'x' });
    parsesAs('\u212aREAD 1', { error: 'unknown-verb' });
  });

  it('counts digits and letters of every script as part of the verb’s word', () => {
    for (const tail of ['1', '_', 'é', '٣', '²', '½', 'Ⅻ', '\u{1d7cf}', '\u{10400}']) {
      parsesAs(`READ${tail} 1`, { error: 'unknown-verb' });
    }
    for (const tail of ['\u0301', '\u200b', '\ufeff', '\ud835', '\u{1f600}', '\0', '-']) {
      parsesAs(`READ${tail} 1`, { error: 'no-ids' });
    }
  });
});

describe('ids', () => {
  it('end at the first piece that is none', () => {
    parsesAs(`DROP 1 ${'2'.repeat(4301)} 3`, { kind: 'DROP', ids: ['1'], text: null });
    parsesAs(`DROP ${'0'.repeat(4299)}7 3`, { kind: 'DROP', ids: ['7', '3'], text: null });
    parsesAs('DROP () 1 [] \u017f1 2', { kind: 'DROP', ids: ['1'], text: null });
  });

  it('take digits of any script, mixed as well', () => {
    parsesAs('DROP \u0661\uff12\u{1d7d1} \u{1d7d8}4', { kind: 'DROP', ids: ['123', '4'], text: null });
    parsesAs('DROP 1\u0660\u00b2', { error: 'no-ids' });
  });

  it('may be many: duplicates are found in linear time', () => {
    const ids = Array.from({ length: 200_000 }, (_, index) => String(index));
    const action = parseAction(`DROP ${ids.join(' ')} ${ids.join(',')}`);
    expect(action.kind === 'DROP' && action.ids.length).toBe(ids.length);
  });
});

describe('any text', () => {
  const codes: readonly ParseCode[] = [
    'empty-reply',
    'unknown-verb',
    'no-ids',
    'missing-separator',
    'empty-summary',
    'empty-answer',
    'read-needs-chunk',
  ];

  it('gives an action that says the same again when it is written down, or a known code', () => {
    const word = fc.constantFrom(
      ...[
        'ACTION:',
        'action: ',
        'READ',
        'compress',
        'DROP',
        'ANSWER',
        '::',
        ':',
        '12',
        's1',
        '[3]',
        ',',
        ' ',
        '\n',
      ],
      ...['\u2028', '\x1f', '\u017f', '\u0131', '٣', '\u{1d7cf}', '(', 'é', 'unknown'],
    );
    const replies = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(word, { maxLength: 16 }).map((words) => words.join('')),
    );
    fc.assert(
      fc.property(replies, (reply) => {
        const action = parseAction(reply);
        if (action.kind === 'error') expect(codes).toContain(action.code);
        else expect(parseAction(`ACTION: ${canonicalAction(action)}`)).toEqual(action);
      }),
    );
  });

  it('takes ten million characters in a line', () => {
    const long = ' ACTION :'.repeat(1_100_000);
    parsesAs(`${long}\nACTION: READ 1`, { kind: 'READ', ids: ['1'], text: null });
    parsesAs(long, { error: 'unknown-verb' });
    parsesAs(`${' '.repeat(10_000_000)}x`, { error: 'unknown-verb' });
  });
});
