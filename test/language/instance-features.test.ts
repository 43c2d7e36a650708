/** Every feature of instance documents on one small document. A bar in a snippet is the cursor. */
import { describe, expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-jsonrpc';
import { type Hover, MarkupContent, type Range } from 'vscode-languageserver-types';
import { TOKEN_LEGEND } from '../../server/src/language/semantic-tokens.ts';
import { DEFAULTS } from '../../server/src/language/settings.ts';
import { openInstance } from '../support/instance-document.ts';
import { openDocument, token } from '../support/language.ts';
import { toldInstance } from '../support/told-instance.ts';

const { service, document, at, show } = openInstance();
const shown = { ...DEFAULTS, spoilers: true };
const hidden = { ...DEFAULTS, spoilers: false };
const whole: Range = {
  start: { line: 0, character: 0 },
  end: document.positionAt(document.getText().length),
};

/** What a hover says, with links as their texts and escapes resolved. */
function read(hover: Hover | null): string[] {
  if (hover === null || !MarkupContent.is(hover.contents)) return [];
  return hover.contents.value
    .replace(/\[((?:\\.|[^\]])*)\]\(command:[^)]*\)/g, '$1')
    .replace(/\\(.)/g, '$1')
    .split(/\s*\n+/);
}

const aboutIda = [
  '**Ida Berg** · person · chunk 3',
  'Desk extension: 4107, formerly 4100',
  'Unit → Quiet Optics (no entry)',
  'Named by Coral Gull (Lead, chunk 0)',
];
const aboutOtto = [
  '**Otto Lind** · person · chunk 4',
  'Desk extension: 4117',
  'Named by Coral Gull (formerly Lead, chunk 0), Jade Stork (Lead, chunk 6)',
];

describe('hover', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['Lead: Ida| Berg [', aboutIda, ['**Evidence** of hop 2 of 2: Desk extension is 4107.']],
    ['\n|Ida Berg — ', aboutIda, ['**Evidence** of hop 2 of 2: Desk extension is 4107.']],
    ['Directory · Ida Berg| –', aboutIda, ['**Evidence** of hop 2 of 2: Desk extension is 4107.']],
    [
      'lead of project Coral| Gull?',
      [
        '**Coral Gull** · project · chunk 0',
        'Lead → Ida Berg (chunk 3), formerly Otto Lind (chunk 4)',
        'Cost centre: CC-7',
      ],
      ['**Evidence** of hop 1 of 2: Lead is Ida Berg.'],
    ],
    [
      '\nIda Berg Jr| — ',
      ['**Ida Berg Jr** · person · chunk 3', 'Desk extension: 4119'],
      ['**Distractor**: twin beside hop 2. Following it ends at 4119, which is wrong.'],
    ],
    [
      'with Ida| Berg Jr and',
      ['**Ida Berg Jr** · person · chunk 3', 'Desk extension: 4119'],
      ['**Distractor**: twin beside hop 2. Following it ends at 4119, which is wrong.'],
    ],
    [
      'previously Otto| Lind from',
      aboutOtto,
      ['**Distractor**: superseded link beside hop 1. Following it ends at 4117, which is wrong.'],
    ],
    ['and Otto| Lind.', aboutOtto, []],
    [
      'Quiet| Optics',
      ['**Quiet Optics** · department · no entry in this document', 'Named by Ida Berg (Unit, chunk 3)'],
      [],
    ],
    [
      'then 4107|',
      ['**4107** · Desk extension', 'of Ida Berg (chunk 3)'],
      ['**Answer**, found at hop 2 of 2.'],
    ],
    ['4100| from', ['**4100** · Desk extension, superseded', 'of Ida Berg (chunk 3)'], []],
    [': CC-|7', ['**CC-7** · Cost centre', 'of Coral Gull (chunk 0)'], []],
    ['soup was| discussed.\n\n[2]', [], []],
    ['Canteen| Minutes · entry 1', [], []],
  ])('%s', (snippet, about, secrets) => {
    const hover = service.hover(document, at(snippet), shown, token);
    expect(read(hover)).toEqual([...about, ...(secrets.length > 0 ? ['---', ...secrets] : [])]);
    expect(read(service.hover(document, at(snippet), hidden, token))).toEqual(about);
  });

  test('has the range of the name', () => {
    const hover = service.hover(document, at('with Ida| Berg Jr and'), shown, token);
    expect(hover?.range && show(hover.range)).toMatch(/\|Ida Berg Jr\|$/);
  });

  test('has links that the editor can follow', () => {
    const hover = service.hover(document, at('Lead: Ida| Berg ['), shown, token);
    const [, link = ''] =
      /\[Coral Gull\]\(command:hopscope\.reveal\?([^)]*)\)/.exec(JSON.stringify(hover)) ?? [];
    const { line, character } = at('\n|Coral Gull — ');
    expect(JSON.parse(decodeURIComponent(link))).toEqual([document.uri, line, character]);
  });
});

test('a name that looks like Markdown is shown as it is', () => {
  const name = '[x](command:evil) <b> **y**';
  const chunks = toldInstance.chunks.map((chunk) =>
    chunk.idx === 0 ? { ...chunk, text: `${chunk.header}\n${name} — Lead: Ida Berg.` } : chunk,
  );
  const hostile = openInstance({ ...toldInstance, chunks });
  const hover = hostile.service.hover(hostile.document, hostile.at('\n[|x]'), shown, token);
  const said = MarkupContent.is(hover?.contents) ? hover.contents.value : '';
  expect(said).toMatch(
    /^\*\*\\\[x\\\]\\\(command:evil\\\) \\<b\\> \\\*\\\*y\\\*\\\*\*\* · project · chunk 0\n/,
  );
});

describe('definition', () => {
  test.each([
    ['Lead: Ida| Berg [', '31:1 |Ida Berg|'],
    ['previously Otto| Lind from', '35:1 |Otto Lind|'],
    ['project Coral| Gull?', '14:1 |Coral Gull|'],
    ['Directory · Ida Berg – Ida| Berg Jr', '32:1 |Ida Berg Jr|'],
    ['with Ida| Berg Jr and', '32:1 |Ida Berg Jr|'],
    ['then 410|7', '31:1 |Ida Berg|'],
    ['\nIda| Berg — ', '31:1 |Ida Berg|'],
  ])('%s', (snippet, expected) => {
    const found = service.definition(document, at(snippet), token);
    expect(found.map(({ uri }) => uri)).toEqual([document.uri]);
    expect(found.map(({ range }) => document.getText(range))).toEqual([/\|(.*)\|/.exec(expected)?.[1]]);
    const [first] = found;
    expect(
      first && document.getText({ start: first.range.start, end: { ...first.range.start, character: 99 } }),
    ).toMatch(/ — /);
  });

  test.each(['Quiet| Optics', 'soup was| discussed.\n\n[2]', 'Ceiling: |600'])('none at %s', (snippet) => {
    expect(service.definition(document, at(snippet), token)).toEqual([]);
  });
});

describe('references and highlights', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['Lead: Ida| Berg [', ['Lead: Ida Berg', '\nIda Berg'], ['Directory · Ida Berg']],
    [
      '\nOtto| Lind — ',
      ['previously Otto Lind', ' and Otto Lind', '\nOtto Lind', 'Stork — Lead: Otto Lind'],
      ['Directory · Otto Lind'],
    ],
    ['Jade| Stork — ', ['\nJade Stork'], ['Register · Jade Stork']],
    ['with Ida Berg| Jr', ['with Ida Berg Jr', '\nIda Berg Jr'], ['– Ida Berg Jr']],
    ['then 4107|', ['then 4107'], []],
    ['soup was| discussed.\n\n[2]', [], []],
  ])('%s', (snippet, references, inHeaders) => {
    const text = document.getText();
    const endings = (ranges: readonly Range[], wanted: readonly string[]) =>
      ranges.map((range) => {
        const end = document.offsetAt(range.end);
        return wanted.find((one) => text.slice(end - one.length, end) === one) ?? show(range);
      });
    const found = service.references(document, at(snippet), token).map(({ range }) => range);
    expect(endings(found, references)).toEqual(references);
    const all = [...references, ...inHeaders];
    const highlighted = service.documentHighlights(document, at(snippet), token).map(({ range }) => range);
    expect(endings(highlighted, all).sort()).toEqual([...all].sort());
  });
});

describe('code lenses', () => {
  const titles = (settings: typeof shown) =>
    service
      .codeLenses(document, settings, token)
      .map(({ range, command }) => `${range.start.line + 1} ${command?.title}`);

  test('walk along the chain', () => {
    const coral = at('\n|Coral Gull — ').line + 1;
    const ida = at('\n|Ida Berg — ').line + 1;
    expect(titles(shown)).toEqual([
      '1 hop 1 of 2: Coral Gull',
      '1 answer: 4107',
      '1 hide spoilers',
      '1 compare with transcript…',
      `${coral} hop 1 of 2 → Ida Berg, chunk 3`,
      `${ida} hop 2 of 2, the answer: 4107`,
      `${ida} ← Coral Gull`,
    ]);
    const lens = service
      .codeLenses(document, shown, token)
      .find(({ command }) => command?.title.includes('→ Ida'));
    const { line, character } = at('\n|Ida Berg — ');
    expect(lens?.command).toMatchObject({
      command: 'hopscope.reveal',
      arguments: [document.uri, line, character],
    });
  });

  test('tell nothing when spoilers are hidden', () => {
    expect(titles(hidden)).toEqual(['1 show spoilers', '1 compare with transcript…']);
  });
});

describe('inlay hints', () => {
  const hints = (settings: typeof shown, range = whole) =>
    service.inlayHints(document, range, settings, token).map(({ position, label }) => {
      const line = document.getText({ start: { line: position.line, character: 0 }, end: position });
      return `${line}| ${label}`;
    });
  const ofChunks = [
    '[0] (300 tokens)| of 600, leaves 300',
    '[1] (320 tokens)| of 600, leaves 280',
    '[2] (341 tokens)| of 600, leaves 259',
    '[3] (710 tokens)| exceeds the ceiling of 600',
    '[4] (290 tokens)| of 600, leaves 310',
    '[5] (333 tokens)| of 600, leaves 267',
    '[6] (301 tokens)| of 600, leaves 299',
  ];

  test('tell what chunks leave and where distractors end', () => {
    expect(hints(shown)).toEqual([
      ofChunks[0],
      'Coral Gull — Lead: Ida Berg [current since 2017; previously Otto Lind| superseded link → 4117',
      ...ofChunks.slice(1, 4),
      'Ida Berg Jr| twin → 4119',
      ...ofChunks.slice(4),
    ]);
    expect(hints(hidden)).toEqual(ofChunks);
  });

  test('are those of the range', () => {
    const line = at('|[2] (341').line;
    const range = { start: { line, character: 0 }, end: { line: line + 1, character: 0 } };
    expect(hints(shown, range)).toEqual([ofChunks[2]]);
  });
});

/** Semantic tokens as `line:text type modifiers`. */
function decode(numbers: readonly number[]): string[] {
  const lines: string[] = [];
  let line = 0;
  let character = 0;
  for (let i = 0; i < numbers.length; i += 5) {
    const [down = 0, right = 0, length = 0, type = 0, bits = 0] = numbers.slice(i, i + 5);
    line += down;
    character = down === 0 ? character + right : right;
    const range = { start: { line, character }, end: { line, character: character + length } };
    const modifiers = TOKEN_LEGEND.tokenModifiers.filter((_, bit) => bits & (1 << bit));
    lines.push([document.getText(range), TOKEN_LEGEND.tokenTypes[type], ...modifiers].join(' '));
  }
  return lines;
}

describe('semantic tokens', () => {
  const tokens = (settings: typeof shown, range: Range | null = null) =>
    decode(service.semanticTokens(document, range, settings, token));

  test('of the whole document', () => {
    expect(tokens(shown)).toEqual([
      'Coral Gull entity',
      'Coral Gull entity',
      'Coral Gull entity declaration evidence',
      'Ida Berg entity evidence',
      'Otto Lind entity superseded',
      'CC-7 value',
      'Ida Berg entity',
      'Ida Berg Jr entity',
      'Ida Berg entity declaration evidence',
      '4100 value superseded',
      '4107 value evidence answer',
      'Quiet Optics entity',
      'Ida Berg Jr entity declaration nearMiss',
      '4119 value nearMiss',
      'Otto Lind entity',
      'Otto Lind entity declaration',
      '4117 value',
      'Jade Stork entity',
      'Jade Stork entity declaration',
      'Otto Lind entity',
    ]);
  });

  test('say nothing secret when spoilers are hidden', () => {
    const secret = / (?:evidence|nearMiss|answer)/g;
    expect(tokens(hidden)).toEqual(tokens(shown).map((line) => line.replace(secret, '')));
    expect(tokens(hidden).join()).not.toMatch(secret);
  });

  test('of a range', () => {
    const { line } = at('\n|Ida Berg Jr — ');
    const range = { start: { line, character: 0 }, end: { line: line + 1, character: 0 } };
    expect(tokens(shown, range)).toEqual(['Ida Berg Jr entity declaration nearMiss', '4119 value nearMiss']);
  });
});

describe('workspace symbols', () => {
  const search = (query: string, settings = shown) =>
    service
      .workspaceSymbols([document], query, settings, token)
      .map(
        ({ name, containerName, location }) =>
          `${name} (${containerName}) ${show(location.range).split(' ')[0]}`,
      );

  test.each([
    [
      'ida',
      [
        'Ida Berg (person, chunk 3, evidence of hop 2 · train-small)',
        'Ida Berg Jr (person, chunk 3, distractor, twin · train-small)',
      ],
    ],
    ['LIND', ['Otto Lind (person, chunk 4 · train-small)']],
    ['oal', ['Coral Gull (project, chunk 0, evidence of hop 1 · train-small)']],
    ['minutes', ['Canteen Minutes (2 chunks, 661 tokens · train-small)']],
    ['nobody', []],
  ])('%j', (query, expected) => {
    expect(search(query).map((line) => line.replace(/ \d+:\d+$/, ''))).toEqual(expected);
  });

  test('of an empty query are the sections', () => {
    expect(search('').map((line) => line.replace(/ \(.*/, ''))).toEqual([
      'train-small',
      'Project Register',
      'Canteen Minutes',
      'Personnel Directory',
      'Stores Notices',
      'Project Register',
    ]);
  });

  test('say nothing secret when spoilers are hidden', () => {
    expect(search('ida', hidden).join()).not.toMatch(/evidence|distractor|twin/);
  });
});

describe('marks', () => {
  test('are the answer, the evidence and the distractors', () => {
    const marks = service.instanceMarks(document, token);
    expect(marks.map(({ kind, range }) => `${kind} ${show({ ...range })}`.replace(/ \d+:\d+/, ''))).toEqual([
      'answer |4107|',
      'evidence |Coral Gull|',
      'evidence |Ida Berg|',
      'evidence |Ida Berg|',
      'distractor |Ida Berg Jr|',
      'distractor |4119|',
      'distractor |Otto Lind|',
    ]);
  });
});

describe('a document that is not what its address says', () => {
  const other = openDocument('hopscope-instance', `${document.getText()}!`, document.uri);

  test('has no features rather than wrong ones', () => {
    const position = at('\nIda| Berg — ');
    expect(service.hover(other, position, shown, token)).toBeNull();
    expect(service.definition(other, position, token)).toEqual([]);
    expect(service.codeLenses(other, shown, token)).toEqual([]);
    expect(service.semanticTokens(other, null, shown, token)).toEqual([]);
    expect(service.documentSymbols(other, shown, token)).toEqual([]);
    expect(service.workspaceSymbols([other], 'ida', shown, token)).toEqual([]);
  });
});

test('a cancelled request ends with nothing', () => {
  const cancellation = new CancellationTokenSource();
  cancellation.cancel();
  expect(service.semanticTokens(document, null, shown, cancellation.token)).toEqual([]);
  expect(service.hover(document, at('\nIda| Berg — '), shown, cancellation.token)).toBeNull();
});
