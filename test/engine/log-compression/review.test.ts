/** What is said about a candidate: what it kept, lost and invented, and why it did not count as solved. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reply } from '../../../server/src/engine/environments/chat.ts';
import { commentary } from '../../../server/src/engine/environments/log-compression/commentary.ts';
import { logCompression } from '../../../server/src/engine/environments/log-compression/index.ts';
import { panel } from '../../../server/src/engine/environments/log-compression/panel.ts';
import { probes } from '../../../server/src/engine/environments/log-compression/probes.ts';
import { reviewOf } from '../../../server/src/engine/environments/log-compression/review.ts';
import { scoreCandidate } from '../../../server/src/engine/environments/log-compression/scoring.ts';
import { validate } from '../../../server/src/engine/environments/log-compression/validate.ts';
import { showProblems } from '../../support/problems.ts';
import { blue, played, recordAt, red, replyOf, small, water } from './kit.ts';

const start = logCompression.start(small, {});
const lines = (...texts: string[]) => texts.join('\n');

it('stands on a record that is sound', () => {
  expect(validate(small)).toEqual([]);
});

describe('lines of a candidate', () => {
  it.each([
    [lines(blue, red, water), 'critical critical critical', [null, null, null]],
    [lines(`req-77: ${blue}`, red, water, blue), 'critical critical critical repeat', [null, null, null]],
    [lines(blue, red, water, 'GET /tea 200 4ms'), 'critical critical critical other', [null, null, null]],
    [
      lines('Here it is:', blue, red, '', water),
      'invented critical critical blank critical',
      [null, null, null],
    ],
    [lines(`- ${blue}`, `${red} (x2)`, water), 'damaged damaged critical', ['decorated', 'decorated', null]],
    [`${blue}; ${red}; ${water}`, 'damaged', ['decorated', 'decorated', 'decorated']],
    [lines(blue, 'Error: kettle "red" leaks…', water), 'critical damaged critical', [null, 'cut', null]],
    [
      lines(blue, red.toUpperCase(), 'FATAL no water in the house'),
      'critical damaged damaged',
      [null, 'reworded', 'reworded'],
    ],
    [lines(blue, water), 'critical critical', [null, 'merged', null]],
    [lines('Error: 2 kettles', water), 'invented critical', ['merged', 'merged', null]],
    [lines(blue, red), 'critical critical', [null, null, 'dropped']],
    ['', 'blank', ['dropped', 'dropped', 'dropped']],
  ])('%j', (candidate, kinds, losses) => {
    const review = reviewOf(played(small, candidate));
    expect(review?.lines.map(({ kind }) => kind).join(' ')).toBe(kinds);
    expect(review?.contents.map(({ loss }) => loss)).toEqual(losses);
  });

  it('are not looked at before there are any', () => {
    expect(reviewOf(start)).toBeNull();
    expect(logCompression.outcome(start)).toMatchObject({
      done: false,
      reward: 0,
      stop: 'unfinished',
      steps: 0,
    });
  });
});

describe('causes', () => {
  const perfect = lines(blue, red, water);
  it.each([
    [perfect, null, null],
    [' \n', 'empty-reply', 'so all of the 3 critical lines are lost.'],
    [
      lines(blue, red),
      'dropped',
      '1 of 3 critical lines is lost, such as "fatal: no more water in the house"',
    ],
    [lines(`- ${blue}`, red), 'dropped', '2 of 3 critical lines are lost, such as "fatal:'],
    [lines(blue, water), 'merged', 'a line that begins alike stands for it.'],
    [
      lines(blue, 'Error: the red kettle leaks at its handle', water),
      'reworded',
      'line 2 says it in other words.',
    ],
    [lines(blue, 'Error: kettle "red" l', water), 'cut', 'only its beginning stands in line 2.'],
    [lines(`* ${blue}`, red, water), 'decorated', 'it stands in line 1 with something around it.'],
    [small.raw, 'copied', 'nothing is shorter.'],
    [`${small.raw}\nThat is all.`, 'copied', 'nothing is shorter.'],
    [
      lines(perfect, 'GET /tea 200 4ms', 'worker 7 was started', 'I'),
      'noise-kept',
      'are lines that are not critical.',
    ],
    [lines(perfect, blue, blue), 'repeats-kept', 'are critical lines that came before.'],
    [
      lines('I have looked at the log and found three errors', '', perfect),
      'padding',
      'that the log does not have.',
    ],
    [
      lines(`req-1234567890-abcdefghijklmnop: ${blue}`, red, `req-1234567890: ${water}`),
      'prefixes-kept',
      'in front of',
    ],
  ])('%j: %s', (candidate, cause, sentence) => {
    const explanation = logCompression.explain?.([start, played(small, candidate)]);
    expect(explanation?.cause).toBe(cause);
    expect(explanation?.step).toBe(cause === null ? null : 1);
    expect(explanation?.sentence ?? null).toEqual(
      sentence === null ? null : expect.stringContaining(sentence),
    );
  });

  it('say when nothing could be won', () => {
    const bare = recordAt('train', 129);
    expect(logCompression.explain?.([played(bare, replyOf('perfect', bare))])?.cause).toBe('no-headroom');
    expect(logCompression.explain?.([start])?.cause).toBe('unfinished');
    expect(logCompression.explain?.([])).toBeNull();
  });

  it('count what happened', () => {
    const candidate = lines(`* ${blue}`, 'GET /tea 200 4ms', water, water, 'The end.');
    expect(logCompression.explain?.([played(small, candidate)])?.counts).toEqual({
      decorated: 1,
      cut: 0,
      reworded: 0,
      merged: 0,
      dropped: 1,
      repeats: 1,
      other_lines: 1,
      invented: 1,
    });
  });
});

describe('commentary', () => {
  const notesOf = (text: string) => commentary.notes(start, reply(text), played(small, text));

  it('marks what is lost where something of it is left, and what costs tokens', () => {
    const text = lines(`- ${blue}`, water, water, 'GET /tea 200 4ms', 'The end.');
    expect(showProblems(text, notesOf(text))).toEqual([
      `log.decorated «- ${blue}»`,
      `log.dropped «${text}»`,
      `log.repeat «${water}»`,
      'log.not-critical «GET /tea 200 4ms»',
      'log.invented «The end.»',
    ]);
    expect(notesOf(text).map(({ privileged }) => privileged === true)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it.each([
    lines(`- ${blue}`, `"${red}"`, `fatal: ${water}`),
    blue,
    '',
    `${blue}\n`,
    lines(blue.toLowerCase(), red, water.slice(0, 20)),
  ])('mends %j by its fixes', (text) => {
    let current = text;
    for (let round = 0; round < 5; round++) {
      const [note] = notesOf(current).filter(({ fixes = [] }) => fixes.length > 0);
      const replace = note?.fixes?.[0]?.replace;
      if (replace === undefined) break;
      current = current.slice(0, replace.start) + replace.text + current.slice(replace.end);
    }
    expect(scoreCandidate(small, current).missing).toEqual([]);
  });

  it('says in short and at length how an episode stands', () => {
    const state = played(small, lines(blue, water));
    expect(commentary.label(state)).toBe('kept 2 of 3, ratio 0.132');
    expect(commentary.describe(state, false)).not.toContain('kettle');
    expect(commentary.describe(state, true)).toContain(`- \`${red}\` lost: a line that begins alike`);
    expect(commentary.describe(start, true)).toBe('A log of 114 tokens, to be compressed in one reply.');
    expect(commentary.gauge?.(state)).toEqual({ used: 15, limit: 34, unit: 'tokens' });
  });

  it('knows the best reply, and none when the episode is over', () => {
    const [best = ''] = commentary.bestReplies?.(start) ?? [];
    expect(logCompression.outcome(played(small, best))).toMatchObject({ correct: true, stop: 'answered' });
    expect(commentary.bestReplies?.(played(small, ''))).toEqual([]);
  });
});

describe('panel', () => {
  it('shows the log, then what became of it', () => {
    expect(panel.view(start).sections.map(({ title }) => title)).toEqual(['Log']);
    const text = lines(blue, `* ${red}`, water, 'The end.');
    const view = panel.view(played(small, text));
    const [score, critical, output] = view.sections;
    expect(score).toMatchObject({
      rows: expect.arrayContaining([{ cells: ['fidelity gate', 'fails: 1 lost'], mark: 'bad' }]),
    });
    expect(critical).toMatchObject({
      privileged: true,
      lines: [
        { text: blue, mark: 'good', detail: 'kept, line 2, 2 times' },
        { text: red, mark: 'bad', detail: 'lost, line 4; it stands in line 2 with something around it' },
        { text: water, mark: 'good', detail: 'kept, line 6' },
      ],
    });
    expect(output?.kind === 'lines' && output.lines.map(({ detail }) => detail)).toEqual([
      'critical',
      'what is left of a critical line',
      'critical',
      'not in the log',
    ]);
    expect(panel.text(played(small, text), 'output')).toBe(text);
  });

  it('stays small whatever was replied', () => {
    const state = played(small, 'Error: x y z\n'.repeat(20_000));
    expect(JSON.stringify(panel.view(state)).length).toBeLessThan(20_000);
    expect(commentary.notes(start, reply(state.candidate ?? ''), state).length).toBeLessThan(200);
  });
});

describe('probes', () => {
  const row = (candidate: string) => probes.row([start, played(small, candidate)]);
  const figures = (...candidates: string[]) =>
    Object.fromEntries(
      probes
        .report(candidates.map(row))
        .flatMap((section) => section.figures.map(({ id, value }) => [`${section.id}.${id}`, value])),
    );

  it('tell how episodes fared at either gate', () => {
    const found = figures(
      '',
      small.raw,
      lines(blue, red),
      lines(blue, red, water),
      lines('Oh.', blue, red, water),
      `* ${lines(blue, red, water)}`,
    );
    expect(found).toMatchObject({
      'shortcuts.empty': 1 / 6,
      'shortcuts.copied': 1 / 6,
      'shortcuts.impossible': 0,
      'shortcuts.invented': 1 / 2,
      'fidelity.faithful': 3 / 6,
      'fidelity.dropped': 1 / 3,
      'fidelity.decorated': 1 / 3,
      'length.beats_reference': 2 / 3,
      'length.copied': 1,
      'length.padding': 0,
    });
  });

  it('tell nothing of nothing', () => {
    expect(new Set(Object.values(figures()))).toEqual(new Set([null, 0]));
  });
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(blue, red, water, `- ${blue}`, 'req-1: ', '\r', '\u2028', '\ud800', '🔥'),
        fc.string(),
      ),
    )
    .map((parts) => parts.join('\n')),
);

it('looks through a reply of megabytes without looking for every line in every other', () => {
  const long = Array.from({ length: 30_000 }, (_, at) => `Error: kettle ${at} was ${'very '.repeat(20)}blue`);
  const state = played(small, long.join('\n'));
  expect(logCompression.explain?.([start, state])?.cause).toBe('dropped');
  expect(commentary.notes(start, reply(state.candidate ?? ''), state).length).toBeLessThan(200);
});

it('never throws, keeps scores in their range, and agrees with itself about what is lost', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const state = played(small, text);
      const outcome = logCompression.outcome(state);
      const review = reviewOf(state);
      const lost = review?.contents.filter(({ loss }) => loss !== null).map(({ content }) => content);
      expect(outcome.reward).toBeGreaterThanOrEqual(-1);
      expect(outcome.reward).toBeLessThanOrEqual(1);
      expect(lost).toEqual(scoreCandidate(small, text).missing);
      expect(review?.lines.map(({ start: from, end }) => text.slice(from, end))).toEqual(text.split('\n'));
      expect(logCompression.explain?.([start, state])?.cause === null).toBe(outcome.correct);
      for (const { start: from, end } of commentary.notes(start, reply(text), state)) {
        expect(0 <= from && from <= end && end <= text.length).toBe(true);
      }
      panel.view(state);
      commentary.describe(state, true);
    }),
  );
});
