/** Records from files: what is read, what is refused, what is found unsound; and records as documents. */
import { describe, expect, it } from 'vitest';
import { MARKS } from '../../../server/src/engine/environments/links.ts';
import { distinctContents } from '../../../server/src/engine/environments/log-compression/fidelity.ts';
import { logCompression } from '../../../server/src/engine/environments/log-compression/index.ts';
import { linksOf } from '../../../server/src/engine/environments/log-compression/links.ts';
import { parseInstance } from '../../../server/src/engine/environments/log-compression/parse-instance.ts';
import {
  estimateTokens,
  idealRatio,
} from '../../../server/src/engine/environments/log-compression/scoring.ts';
import { validate } from '../../../server/src/engine/environments/log-compression/validate.ts';
import { viewInstance } from '../../../server/src/engine/environments/log-compression/view.ts';
import { blue, recordAt, records, red, small, water } from './kit.ts';

describe('a record of a file', () => {
  it('is read back as it was made, with what we do not know of', () => {
    const record = { ...recordAt('train', 3), note: 'mine' };
    expect(parseInstance(JSON.parse(JSON.stringify(record)))).toEqual({ ok: true, value: record });
  });

  it('gets an id of its own when it has none, the same for the same log', () => {
    const { id: _, split: __, case: ___, ...bare } = small;
    const ids = [bare, bare, { ...bare, raw: `${bare.raw}\nx` }].map((raw) => {
      const parsed = parseInstance(raw);
      return parsed.ok ? parsed.value.id : parsed.error;
    });
    expect(ids[0]).toMatch(/^record-[0-9a-f]{16}$/);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
    expect(parseInstance({ ...bare, prefix_regex: null })).toMatchObject({
      ok: true,
      value: { prefix_regex: '', case: 'unnamed', split: 'file' },
    });
  });

  it.each([
    [null, 'it must be an object, not null'],
    [[], 'it has no raw'],
    ['text', 'it must be an object, not "text"'],
    [{}, 'it has no raw'],
    [{ ...small, raw: 7 }, 'raw must be a text, not 7'],
    [{ ...small, id: '' }, 'id must be a text that is not empty, not ""'],
    [{ ...small, critical: {} }, 'critical must be a list, not an object'],
    [{ ...small, critical: [{ line: 1.5, text: '' }] }, 'critical.0.line must be a whole number, not 1.5'],
    [{ ...small, critical: [{ line: 1 }] }, 'it has no critical.0.text'],
    [{ ...small, reference_ratio: 0 }, 'reference_ratio must be a number above 0, not 0'],
    [{ ...small, reference_ratio: '0.2' }, 'reference_ratio must be a number, not "0.2"'],
    [{ ...small, ideal_ratio: -1 }, 'ideal_ratio must be a number from 0 on, not -1'],
    [{ ...small, prefix_regex: '(' }, 'prefix_regex is no regular expression'],
    [{ ...small, prefix_regex: '(?=a)b' }, 'prefix_regex is no regular expression'],
    [{ ...small, prefix_regex: '(a)\\1' }, 'prefix_regex is no regular expression'],
    [{ ...small, prefix_regex: 'a'.repeat(1001) }, 'prefix_regex must have at most 1000 characters'],
  ])('is refused: %j', (raw, error) => {
    expect(parseInstance(raw)).toEqual({ ok: false, error: expect.stringContaining(error) });
  });
});

describe('validation', () => {
  const ours = recordAt('train', 60);
  const [first, ...rest] = small.critical;
  if (first === undefined) throw new Error('no critical line');
  it.each([
    [ours, []],
    [{ ...small, critical: [] }, ['no_critical_lines']],
    [{ ...small, critical: [{ ...first, line: 3 }, ...rest] }, ['line_mismatch:3']],
    [{ ...small, critical: [{ ...first, line: 99 }, ...rest] }, ['line_mismatch:99']],
    [{ ...small, critical: [{ ...first, line: -1 }, ...rest] }, ['line_mismatch:-1']],
    [{ ...small, ideal_ratio: 0.2 }, ['ideal_ratio_mismatch', 'grader_rejects_ideal']],
    [{ ...small, raw: `${small.raw}\u0085` }, ['white_space']],
    [{ ...ours, reference_ratio: ours.reference_ratio + 0.01 }, ['reference_ratio_mismatch']],
    [{ ...small, prefix_regex: '' }, ['ideal_ratio_mismatch', 'grader_rejects_ideal']],
    [{ ...small, prefix_regex: String.raw`^\s*\S+\s*` }, 'prefix_twice:2'],
    [{ ...small, prefix_regex: '.*' }, 'empty_content:2'],
  ])('%#', (record, reasons) => {
    const found = validate(record);
    if (typeof reasons === 'string') expect(found).toContain(reasons);
    else expect(found).toEqual(reasons);
    const codes = logCompression.reasons?.map(({ code }) => code) ?? [];
    expect(codes).toEqual(expect.arrayContaining(found.map((reason) => reason.split(':', 1)[0])));
  });
});

it('a record of very many critical lines is validated in time by its length', () => {
  const texts = Array.from({ length: 20_000 }, (_, at) => `Error: pump ${at} leaks`);
  const lines = texts.map((text, at) => `req-${at}: ${text}`);
  const recordOf = (printed: readonly string[], contents: readonly string[]) => {
    const raw = printed.join('\n');
    return {
      ...small,
      raw,
      critical: printed.map((text, at) => ({ line: at + 1, text })),
      reference_ratio: 0.95,
      ideal_ratio: idealRatio(contents, estimateTokens(raw)),
    };
  };
  expect(validate(recordOf(lines, texts))).toEqual([]);
  const twice = ['req-x: req-y: Error: pump 7777 leaks', ...lines];
  const found = validate(recordOf(twice, ['req-y: Error: pump 7777 leaks', ...texts]));
  expect(found).toEqual(expect.arrayContaining(['prefix_twice:1', 'grader_rejects_ideal']));
});

describe('the document of a record', () => {
  it.each([small, ...records('train').filter((_, index) => index % 9 === 0)])(
    '$id has every critical line marked where it stands, and says nowhere that it is critical',
    (record) => {
      const view = viewInstance(record);
      const { mentions, entities, chain } = linksOf(record, view);
      const lines = view.text.split('\n');
      const first = lines.indexOf(record.raw.split('\n')[0] ?? '');
      expect(lines.slice(first, -1)).toEqual(record.raw.split('\n'));
      const marked = Array.from({ length: mentions.count }, (_, at) => at).filter(
        (at) => mentions.marks[at] === MARKS.evidence,
      );
      const seen = marked.map((at) => view.text.slice(mentions.starts[at], mentions.ends[at]));
      expect(seen).toHaveLength(record.critical.length);
      expect(seen.map((text, at) => record.critical[at]?.text.endsWith(text))).not.toContain(false);
      expect(chain.map(({ entity }) => entities[entity]?.name)).toEqual(distinctContents(record));
      for (const { entity, chunk } of chain) {
        const { start, name } = entities[entity] ?? { start: 0, name: '' };
        expect(view.text.startsWith(name, start)).toBe(true);
        expect(lines[first + chunk - 1]?.endsWith(name)).toBe(true);
      }
      expect(view.text).not.toContain(String(record.ideal_ratio));
    },
  );

  it('keeps the numbers of lines whatever is in them', () => {
    const raw = 'a\r\nb\u001b[31m\u2028c\rd\n\te\n';
    const hostile = {
      ...small,
      raw,
      critical: [{ line: 2, text: 'b\u001b[31m\u2028c\rd' }],
      prefix_regex: '',
    };
    const view = viewInstance(hostile);
    expect(view.text).toContain('\n\na\\r\nb\\u001b[31m\\u2028c\\rd\n\te\n');
    const { mentions } = linksOf(hostile, view);
    expect(view.text.slice(mentions.starts[1], mentions.ends[1])).toBe('b\\u001b[31m\\u2028c\\rd');
  });

  it.each([[[]], [[{ line: 0, text: 'x' }]], [[{ line: 1e9, text: 'x' }]], [[{ line: 2, text: '' }]]])(
    'bears records that are not sound: %j',
    (critical) => {
      const record = { ...small, critical };
      const { mentions, chain } = linksOf(record, viewInstance(record));
      expect([...mentions.marks].filter((mark) => mark !== 0)).toEqual([]);
      expect(chain).toEqual([]);
    },
  );

  it('is described with all there is to know', () => {
    const page = logCompression.describe?.(small) ?? '';
    for (const text of [
      `| 2, 5 | ${blue} |`,
      `| 4 | ${red} |`,
      `| 6 | ${water} |`,
      'reference ratio 0.3000',
    ]) {
      expect(page).toContain(text);
    }
  });
});

it('names critical contents as secrets', () => {
  expect(logCompression.secrets?.(small)).toEqual(
    [blue, red, water].map((text) => ({ text, kind: 'content of a critical line' })),
  );
});
