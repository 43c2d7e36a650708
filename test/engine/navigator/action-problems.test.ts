import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLineBreak } from '../../../server/src/engine/environments/navigator/action-lines.ts';
import { actionProblems } from '../../../server/src/engine/environments/navigator/action-problems.ts';
import { scanAction } from '../../../server/src/engine/environments/navigator/action-scan.ts';
import { parseAction } from '../../../server/src/engine/environments/navigator/actions.ts';
import { describeShared, readVectors } from '../../support/shared.ts';

/** Problems as `severity code |marked text|`. */
function shown(text: string): string[] {
  return actionProblems(text).map(
    ({ severity, code, start, end }) => `${severity} ${code} |${text.slice(start, end)}|`,
  );
}

function has(text: string, ...expected: readonly string[]): void {
  expect(shown(text)).toEqual(expected);
}

describe('problems of a reply', () => {
  it('none for an action that is played as it is written', () => {
    has('ACTION: READ 12');
    has('THOUGHT: look.\nACTION: COMPRESS S1, [2] :: a\nb :: c\n```');
    has('drop 1, 2');
    has('ACTION: READ 20 (because 13 is wrong)');
    has('ANSWER 12 and 13');
  });

  it('an unknown verb, on its first word', () => {
    has('ACTION: JUMP 3', 'error action.unknown-verb |JUMP|');
    has('hm\n  I would READ 3', 'error action.unknown-verb |I|');
    has('ACTION: READ12', 'error action.unknown-verb |READ12|');
    has('**ACTION:** READ 12', 'error action.unknown-verb |**ACTION:**|');
    has('ACTION:\n\n*READ* 1\nx', 'error action.unknown-verb |*READ*|');
    has('x\nACTION:  ', 'error action.unknown-verb |ACTION:|');
  });

  it('missing or bad ids, on the piece that is none', () => {
    has('ACTION: READ', 'error action.no-ids |READ|');
    has('ACTION: DROP [] ,', 'error action.no-ids |DROP|');
    has('ACTION: READ chunk 12', 'error action.no-ids |chunk|');
    has('ACTION: COMPRESS 12.\n:: x', 'error action.no-ids |12.|');
    has('READ\u00a0#12', 'error action.no-ids |#12|');
  });

  it('a summary where a chunk is needed', () => {
    has('ACTION: READ s1, 3', 'error action.read-needs-chunk |s1|');
  });

  it('a missing separator, on what stands before its place', () => {
    has('ACTION: COMPRESS 1, 2 the summary', 'error action.missing-separator |COMPRESS 1, 2|');
    has('ACTION: COMPRESS', 'error action.missing-separator |COMPRESS|');
    expect(actionProblems('COMPRESS 1 : x')[0]?.data).toEqual({ insertAt: 10 });
  });

  it('an empty summary and an empty answer', () => {
    has('ACTION: COMPRESS 1 ::  ', 'error action.empty-summary |::|');
    has('x\n ANSWER \n', 'error action.empty-answer |ANSWER|');
  });

  it('a blank reply', () => {
    has('', 'error action.empty-reply ||');
    has(' \n\u3000', 'error action.empty-reply | \n\u3000|');
  });

  it('further ids on READ', () => {
    has('ACTION: READ 12, 13 14 then', 'warning action.extra-ids |13 14|');
    has('ACTION: READ 12 - 13', 'warning action.extra-ids |- 13|');
    has('ACTION: READ [12],\n [13]\n14', 'warning action.extra-ids |[13]\n14|');
  });

  it('ids after a piece that is none', () => {
    has('ACTION: DROP 12 and 13', 'warning action.bad-id |and|');
    has('ACTION: DROP 3, S1 (no longer needed)', 'info action.bad-id |(no|');
    has('ACTION: COMPRESS 1 x 2 :: 3', 'warning action.bad-id |x|');
  });

  it('earlier action lines', () => {
    has(
      ' ACTION: READ 1 \nACTION READ 2\n\taction: drop\nACTION: READ 3',
      'warning action.ignored-line |ACTION: READ 1|',
      'warning action.ignored-line |action: drop|',
    );
    has(
      'ACTION: READ 1\nACTION:',
      'warning action.ignored-line |ACTION: READ 1|',
      'error action.unknown-verb |ACTION:|',
    );
  });

  it('guesses the verb that was meant', () => {
    const guess = (text: string) => actionProblems(text)[0]?.data?.['verb'];
    expect(guess('ACTION: REED 3')).toBe('READ');
    expect(guess('ACTION: **Compress** 3')).toBe('COMPRESS');
    expect(guess('ACTION: ANSWERS 3')).toBe('ANSWER');
    expect(guess('ACTION: 漢字')).toBeUndefined();
  });

  it('looks at nothing outside of the range it is given', () => {
    const text = 'ACTION: READ 1\nACTION: DROP x\nACTION: READ 2';
    const start = text.indexOf('ACTION: DROP');
    expect(actionProblems(text, start, start + 14)).toMatchObject([
      { code: 'action.no-ids', start: start + 13, end: start + 14 },
    ]);
  });

  it('says in one sentence what to do, without the text of a whole document', () => {
    for (const text of [
      '',
      'x',
      `DROP ${'y'.repeat(500)}`,
      'READ S1',
      'COMPRESS 1',
      'COMPRESS 1 ::',
      'ANSWER',
      'Z'.repeat(900),
    ]) {
      for (const { message } of actionProblems(text)) {
        expect(message).toMatch(/^[A-Z"].*\.$/);
        expect(message.length).toBeLessThan(200);
      }
    }
  });
});

describe('the parts of an action', () => {
  it('stand where they are written, over several lines too', () => {
    const text = 'hm\nACTION: compress 1,\n [S2]\n:: one \n two ';
    const scan = scanAction(text);
    const part = (span: { start: number; end: number } | null | undefined) =>
      span ? text.slice(span.start, span.end) : null;
    expect(part(scan?.tag)).toBe('ACTION:');
    expect(part(scan?.verb)).toBe('compress');
    expect(scan?.ids.map((id) => [part(id), id.id])).toEqual([
      ['1', '1'],
      ['[S2]', 'S2'],
    ]);
    expect(part(scan?.separator)).toBe('::');
    expect(part(scan?.text)).toBe('one \n two');
    expect(scan?.code).toBeNull();
  });
});

/** Problems and the parser must agree about whether a reply can be played, and every range must lie in the reply. */
function agrees(reply: string): void {
  const action = parseAction(reply);
  const before = 'ACTION: READ 1\n';
  const text = `${before}${reply}\nACTION: x`;
  const [start, end] = [before.length, before.length + reply.length];
  const problems = actionProblems(text, start, end);
  const errors = problems.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ code }) => code)).toEqual(action.kind === 'error' ? [`action.${action.code}`] : []);
  const inside = problems.every((each) => start <= each.start && each.start <= each.end && each.end <= end);
  expect(inside).toBe(true);
  expect(actionProblems(reply).map(({ code }) => code)).toEqual(problems.map(({ code }) => code));

  const scan = scanAction(text, start, end);
  if (action.kind === 'error' || scan === null) return;
  const ids = [...new Set(scan.ids.map(({ id }) => id))];
  expect(action.kind === 'READ' ? ids.slice(0, 1) : ids).toEqual(action.ids);
  const marked = scan.text === null ? null : text.slice(scan.text.start, scan.text.end);
  const isBroken = [...(marked ?? '')].some((character) => isLineBreak(character.charCodeAt(0)));
  if (!isBroken) expect(marked).toBe(action.text);
}

describe('problems and the parser', () => {
  it('agree on any reply', () => {
    const piece = fc.constantFrom(
      ...[
        'ACTION:',
        'act\u0131on:',
        'ACTION :',
        'READ',
        'compre\u017fs',
        'DROP',
        'ANSWER',
        '::',
        ':',
        '12',
        's1',
      ],
      ...[
        '[3]',
        ')',
        ',',
        ' ',
        '\n',
        '\r\n',
        '\u2028',
        '\x1f',
        '\u017f1',
        '٣',
        '\u{1d7cf}',
        'and',
        '-',
        'é',
        'x',
      ],
    );
    const replies = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
      fc.array(piece, { maxLength: 12 }).map((pieces) => `ACTION: ${pieces.join(' ')}`),
    );
    fc.assert(fc.property(replies, agrees), { numRuns: 2000 });
  });

  describeShared('agree on the vectors', () => {
    const rows = readVectors<{ text: string }>('navigator/actions.jsonl');
    it('all of them', () => {
      for (const { text } of rows) agrees(text);
    });
  });

  it('take ten million characters', () => {
    expect(shown(`DROP ${'7 '.repeat(5_000_000)}x`)).toEqual(['info action.bad-id |x|']);
    expect(actionProblems('ACTION: '.repeat(1_250_000))).toHaveLength(1);
    expect(actionProblems('ACTION:\n'.repeat(300_000))).toHaveLength(300_000);
  });
});
