import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Event, reply } from '../../../server/src/engine/environments/chat.ts';
import { fileOffsets } from '../../../server/src/engine/transcripts/file-offsets.ts';
import { parseTranscript } from '../../../server/src/engine/transcripts/parse-transcript.ts';
import { printTranscript } from '../../../server/src/engine/transcripts/print-transcript.ts';
import type { Transcript } from '../../../server/src/engine/transcripts/transcript.ts';
import { showProblems } from '../../support/problems.ts';

const bare: Transcript = {
  environment: 'navigator',
  instance: 'train-v1-0',
  instanceHash: null,
  split: null,
  index: null,
  instances: null,
  options: {},
  prompt: null,
  promptHash: null,
  model: null,
  policy: null,
  sampling: {},
  outcome: null,
  events: [],
};

/** What editors do to a file on open and save. */
const editors: Readonly<Record<string, (file: string) => string>> = {
  nothing: (file) => file,
  'line ends': (file) => file.replaceAll('\n', '\r\n'),
  'old line ends': (file) => file.replaceAll('\n', '\r'),
  'white space at the end of lines': (file) => file.replace(/[^\S\n]+$/gm, ''),
  'line breaks at the end': (file) => `${file}\n\n`,
  'no line break at the end': (file) => file.trimEnd(),
  'encoding and byte order mark': (file) => `\ufeff${Buffer.from(file, 'utf8').toString('utf8')}`,
  'characters that are not for reading': (file) => file.replace(/[^\P{Cc}\t\n]|[\u2028\u2029\ufeff]/gu, ''),
};

const hostile = fc.constantFrom(
  ...[
    '\n',
    '\r',
    '\r\n',
    '\t',
    ' ',
    '  \n',
    '\0',
    '\u001b[31m',
    '\u0085',
    '\u00a0',
    '\u2028',
    '\u2029',
    '\ufeff',
  ],
  ...[
    '\ud800',
    '\udc00',
    '😀',
    '"',
    '\\',
    '\\u0041',
    '---',
    '---\n',
    '===',
    '=== step 2',
    '\n=== step 1\n',
    '=== Summary ===',
  ],
  ...[
    '=== reasoning',
    '=====',
    ' === step 9',
    '===step',
    'escaped',
    'ACTION: READ 1',
    'é',
    'x',
    '{{x}}',
    '%',
    '#',
    ': ',
    '- ',
  ],
);
const hostileText = fc.oneof(
  fc.array(hostile, { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

const count = fc.nat();
const anyReply = fc.record(
  {
    kind: fc.constant('reply' as const),
    text: hostileText,
    reasoning: hostileText,
    toolCalls: fc.array(fc.record({ id: hostileText, name: hostileText, arguments: hostileText }), {
      maxLength: 3,
    }),
    finish: fc.constantFrom(
      'stop' as const,
      'length' as const,
      'tool_calls' as const,
      'refusal' as const,
      'other' as const,
    ),
    usage: fc.record(
      { input: count, output: count, cachedInput: count, reasoning: count },
      { requiredKeys: ['input', 'output'] },
    ),
  },
  { requiredKeys: ['kind', 'text'] },
);
/** Verdicts are JSON, which has no −0. */
const anyVerdict = fc.record({
  kind: fc.constant('verdict' as const),
  judge: hostileText,
  value: fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value))),
});
const anyEvents: fc.Arbitrary<Event[]> = fc.array(fc.oneof(anyReply, anyVerdict), { maxLength: 6 });

const maybeText = fc.option(hostileText, { nil: null });
const anyTranscript: fc.Arbitrary<Transcript> = fc.record({
  environment: hostileText,
  instance: hostileText,
  instanceHash: maybeText,
  split: maybeText,
  index: fc.option(fc.nat(), { nil: null }),
  instances: maybeText,
  options: fc.dictionary(
    hostileText,
    fc.oneof(hostileText, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.jsonValue()),
    { maxKeys: 3 },
  ),
  prompt: maybeText,
  promptHash: maybeText,
  model: maybeText,
  policy: maybeText,
  sampling: fc.record(
    { temperature: fc.constant(0.8), seed: fc.integer(), stop: fc.array(hostileText) },
    { requiredKeys: [] },
  ),
  outcome: fc.option(
    fc.record(
      {
        reward: fc.double({ noNaN: true, noDefaultInfinity: true }),
        correct: fc.boolean(),
        stop: hostileText,
        steps: fc.nat(),
        metrics: fc.dictionary(hostileText, fc.option(fc.integer(), { nil: null }), { maxKeys: 4 }),
      },
      { requiredKeys: [] },
    ),
    { nil: null },
  ),
  events: anyEvents,
});

describe('round trip', () => {
  it.each(Object.entries(editors))('of any transcript, after an editor has changed: %s', (_what, edit) => {
    fc.assert(
      fc.property(anyTranscript, (transcript) => {
        const file = edit(printTranscript(transcript));
        const parsed = parseTranscript(file);
        // Empty names are not names, and come back all the same.
        expect(parsed.problems.filter(({ code }) => code !== 'front-matter.empty')).toEqual([]);
        expect(parsed.transcript).toEqual(transcript);
        expect(parsed.layout.blocks.length).toBe(transcript.events.length);
      }),
      { numRuns: 300 },
    );
  });

  const plain = [
    'ACTION: READ 12',
    'THOUGHT: a\n\n  b\nACTION: DROP 1',
    '=====\ntitle\n=====',
    ' === step 1',
    '',
    '--- \u00e9',
  ];
  it.each(plain)('leaves an ordinary reply as it is: %j', (text) => {
    const file = printTranscript({ ...bare, events: [reply(text)] });
    expect(file.includes('escaped')).toBe(false);
  });

  const special = [
    'a\n',
    '\na',
    'a ',
    'a\u00a0',
    'a \nb',
    'a\rb',
    'a\r\nb',
    '\n',
    ' ',
    'a\0',
    '\u2028',
    '\ufeffa',
    '\ud800',
    '=== step 1',
    'a\n=== Note\nb',
    '\u007f',
  ];
  it.each(special)('escapes what would be lost or misread: %j', (text) => {
    const file = printTranscript({ ...bare, events: [reply(text)] });
    expect(file).toContain('=== step 1 escaped\n"');
  });
});

const head = '---\nformat: 1\nenvironment: e\ninstance: i\n---\n';

describe('parseTranscript', () => {
  const cases: readonly [title: string, body: string, problems: readonly string[]][] = [
    ['nothing', '', []],
    ['a step', '=== step 1\nACTION: READ 1\n', []],
    [
      'text before the first step',
      'hello\n\nyou\n\n=== step 1\n',
      ['transcript.text-before-step «hello\n\nyou»'],
    ],
    ['only text', 'hello', ['transcript.text-before-step «hello»']],
    ['misspelt marker', '=== step 1\n=== reasonning\n', ['transcript.unknown-marker «=== reasonning»']],
    [
      'marker without a blank',
      '===step 1',
      ['transcript.unknown-marker «===step 1»', 'transcript.text-before-step «===step 1»'],
    ],
    ['wrong number', '=== step 1\n=== step 3\n', ['transcript.step-number «3»']],
    ['no number', '=== step\n', ['transcript.step-number «=== step»']],
    ['two numbers', '=== step 1 2\n', ['transcript.bad-marker «2»']],
    [
      'unknown value',
      '=== step 1 x=1 finish=never\n',
      ['transcript.bad-marker «x=1»', 'transcript.bad-marker «finish=never»'],
    ],
    ['no number of tokens', '=== step 1 input=many\n', ['transcript.bad-marker «input=many»']],
    ['unreadable rest', '=== step 1 "open\n', ['transcript.bad-marker « "open»']],
    ['reasoning without a step', '=== reasoning\nx', ['transcript.misplaced «=== reasoning»']],
    [
      'reasoning after a verdict',
      '=== verdict j\n1\n=== reasoning\nx',
      ['transcript.misplaced «=== reasoning»'],
    ],
    [
      'reasoning twice',
      '=== step 1\n=== reasoning\nx\n=== reasoning\ny',
      ['transcript.misplaced «=== reasoning»'],
    ],
    ['call without a name', '=== step 1\n=== call id=1\n{}', ['transcript.bad-marker «=== call id=1»']],
    [
      'call with more',
      '=== step 1\n=== call a b id=1 x=2\n{}',
      ['transcript.bad-marker «b»', 'transcript.bad-marker «x=2»'],
    ],
    ['escaped line that is none', '=== step 1 escaped\n"a\\n"\nb "c"\n', ['transcript.bad-escape «b "c"»']],
    ['verdict that is no JSON', '=== verdict j\n{oops}\n', ['transcript.bad-verdict «{oops}»']],
    [
      'empty verdict',
      '=== verdict\n',
      ['transcript.bad-marker «=== verdict»', 'transcript.bad-verdict «=== verdict»'],
    ],
  ];
  it.each(cases)('%s', (_title, body, expected) => {
    const text = head + body;
    expect(showProblems(text, parseTranscript(text).problems)).toEqual(expected);
  });

  it('reads what a person wrote by hand', () => {
    const text = `${head}\n=== step 1  \n\n  THOUGHT: where?  \n\nACTION: READ 1\t\n\n\n=== step 2\nACTION: ANSWER x`;
    const { transcript, layout, problems } = parseTranscript(text);
    expect(problems).toEqual([]);
    expect(transcript.events).toEqual([
      reply('  THOUGHT: where?\n\nACTION: READ 1'),
      reply('ACTION: ANSWER x'),
    ]);
    expect(layout.blocks.map(({ start, end }) => text.slice(start, end))).toEqual([
      '=== step 1  \n\n  THOUGHT: where?  \n\nACTION: READ 1\t\n\n\n',
      '=== step 2\nACTION: ANSWER x',
    ]);
    expect(layout.blocks.map(({ text: { content } }) => text.slice(content.start, content.end))).toEqual([
      '  THOUGHT: where?  \n\nACTION: READ 1\t',
      'ACTION: ANSWER x',
    ]);
  });

  it('reads the steps of a file whose front matter is missing or never ends', () => {
    for (const front of ['', '---\nformat: 1\nenvironment: e\n']) {
      const { transcript, problems } = parseTranscript(`${front}=== step 1\nACTION: READ 1`);
      expect(transcript.events).toEqual([reply('ACTION: READ 1')]);
      expect(problems.length).toBeGreaterThan(0);
    }
  });

  it('never throws, and its ranges lie within the text and in order', () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 30 }), fc.boolean(), (pieces, withHead) => {
        const text = (withHead ? head : '') + pieces.join('');
        const { layout, problems } = parseTranscript(text);
        for (const { start, end } of problems) {
          expect(0 <= start && start <= end && end <= text.length, `${start}-${end}`).toBe(true);
        }
        let at = 0;
        for (const { start, end, text: part } of layout.blocks) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(part.content.end).toBeLessThanOrEqual(end);
          at = end;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same events before and after an editor has saved any file', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(hostile, fc.constant('\n=== step 1\n')), { maxLength: 20 }), (pieces) => {
        const text =
          head +
          pieces
            .join('')
            .replaceAll('\r', '')
            .replace(/[\u2028\u2029]/g, '');
        const { events } = parseTranscript(text).transcript;
        for (const what of ['line ends', 'white space at the end of lines', 'line breaks at the end']) {
          expect(parseTranscript(editors[what]?.(text) ?? '').transcript.events).toEqual(events);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('fileOffsets', () => {
  it('finds every place of a reply in the file, plain or escaped, whatever the line ends', () => {
    fc.assert(
      fc.property(hostileText, fc.constantFrom('nothing', 'line ends'), (text, edit) => {
        const file = editors[edit]?.(printTranscript({ ...bare, events: [reply(text)] })) ?? '';
        const block = parseTranscript(file).layout.blocks[0];
        const offsetOf = block === undefined ? () => 0 : fileOffsets(file, block.text);
        for (let at = 0; at < text.length; at++) {
          const written = file.slice(offsetOf(at));
          const char = text.charAt(at);
          if (/[A-Za-z0-9=]/.test(char)) expect(written.charAt(0)).toBe(char);
          else if (block?.text.escaped === true && char === '\n') expect(written.slice(0, 2)).toBe('\\n');
        }
      }),
    );
  });

  it('takes a line that is no JSON string for what is written', () => {
    const file = '=== step 1 escaped\n"a\\n"\n"b\\n" READ 5\nDROP "c"\n"d"\n';
    const { layout, transcript } = parseTranscript(file);
    const [block] = layout.blocks;
    const offsetOf = block === undefined ? () => 0 : fileOffsets(file, block.text);
    expect(transcript.events).toEqual([reply('a\n"b\\n" READ 5\nDROP "c"\nd')]);
    for (const [at, written] of [
      [0, 'a'],
      [8, 'READ 5'],
      [14, '\nDROP'],
      [15, 'DROP'],
      [21, 'c'],
      [24, 'd'],
    ] as const) {
      expect(file.slice(offsetOf(at))).toMatch(new RegExp(`^${written}`));
    }
  });
});

describe('reading on from an earlier version', () => {
  const front = '---\nformat: 1\nenvironment: navigator\ninstance: a\n---\n';
  const piece = fc.constantFrom(
    '=== step 1\n',
    '=== step 2 finish=length\n',
    '=== step',
    '=== reasoning\n',
    '=== call a id=1\n',
    '=== verdict j\n{}\n',
    '=== stop\n',
    '=== step 3 escaped\n"a"\n',
    'ACTION: READ 1\n',
    'x',
    '\n',
    '\r',
    '\r\n',
    '---\n',
    ' ',
  );
  const body = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

  it('is the same as reading anew', () => {
    const edits = fc.array(fc.tuple(fc.nat(200), fc.nat(12), fc.oneof(piece, fc.constant(''))), {
      maxLength: 6,
    });
    const start = fc
      .tuple(fc.constantFrom(front, '', '---\nformat: 1\n'), body)
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(start, edits, (text, changes) => {
        let previous = { text, parsed: parseTranscript(text) };
        for (const [at, removed, inserted] of changes) {
          const from = Math.min(at, previous.text.length);
          const next = previous.text.slice(0, from) + inserted + previous.text.slice(from + removed);
          const parsed = parseTranscript(next, previous);
          expect(parsed).toEqual(parseTranscript(next));
          previous = { text: next, parsed };
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('takes over what stands in front of the change', () => {
    const text = `${front}=== step 1\na\n\n=== step 2\nb\n\n=== step 3\nc\n`;
    const before = parseTranscript(text);
    const after = parseTranscript(text.replace('\nc\n', '\ncc\n'), { text, parsed: before });
    expect(after.layout.blocks.map((block, at) => block === before.layout.blocks[at])).toEqual([
      true,
      true,
      false,
    ]);
    expect(after.transcript.events.map((event, at) => event === before.transcript.events[at])).toEqual([
      true,
      true,
      false,
    ]);
  });
});
