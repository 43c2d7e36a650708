/** Hover, definitions, outline, folding, hints and lenses of step prompts. A bar is the cursor. */
import { describe, expect, test } from 'vitest';
import {
  type DocumentSymbol,
  type FoldingRange,
  type Hover,
  MarkupContent,
} from 'vscode-languageserver-types';
import { environments } from '../../server/src/engine/environments/registry.ts';
import { createLanguageService } from '../../server/src/language/service.ts';
import { DEFAULTS } from '../../server/src/language/settings.ts';
import { token } from '../support/language.ts';
import { openAtCursor, openPrompt, service, tinyPrompt } from '../support/prompts.ts';
import { tiny } from '../support/tiny-environment.ts';

function textOf(hover: Hover | null): string {
  return hover && MarkupContent.is(hover.contents) ? hover.contents.value : '';
}

describe('hover', () => {
  function hover(textWithBar: string, step = 1, spoilers = true) {
    const { document, position } = openAtCursor(textWithBar);
    service.prompts.preview(document, { step, index: 2 }, null, DEFAULTS);
    const found = service.hover(document, position, { ...DEFAULTS, spoilers }, token);
    return { text: textOf(found), on: found?.range ? document.getText(found.range) : null };
  }
  const where = 'tiny\\-practice\\-2, step 3 of 4';

  test('of a variable: its meaning, and its value on the previewed instance', () => {
    expect(hover(tinyPrompt('user:\n{{go|al}}'), 3)).toEqual({
      on: 'goal',
      text: `**goal** (Number, needed)\n\nWhere to stop.\n\nOn ${where}:\n\n\`\`\`text\n4\n\`\`\``,
    });
  });

  test.each<[string, string]>([
    ['{{wor|ds}}', `On ${where}:\n\n\`\`\`text\n1, 2\n\`\`\``],
    ['{{#sa|id}}{{/said}}', `On ${where}:\n\n\`\`\`text\n2 items\n\`\`\``],
    ['{{#said}}{{/sa|id}}', `On ${where}:\n\n\`\`\`text\n2 items\n\`\`\``],
    ['{{#said}}{{te|xt}}{{/said}}', `On ${where}, item by item:\n\n\`\`\`text\n1\n2\n\`\`\``],
    ['{{#said}}{{#last}}{{te|xt}}{{/last}}{{/said}}', `On ${where}:\n\n\`\`\`text\n2\n\`\`\``],
    ['{{^said}}{{go|al}}{{/said}}', `Not printed on ${where}.`],
    // Two items in two items and so on: not all are looked at.
    [`${'{{#said}}'.repeat(40)}{{te|xt}}`, '1\n2\n1\n2\n1\n… more than '],
  ])('of %s: the values', (body, expected) => {
    expect(hover(tinyPrompt(`user:\n${body}`), 3).text).toContain(expected);
  });

  test('what the agent must not know is shown only with spoilers', () => {
    const text = tinyPrompt('user:\n{{last_num|ber}}');
    expect(hover(text).text).toContain('```text\n4\n```');
    expect(hover(text, 1, false).text).toBe(
      '**last_number** (Text, privileged: tells what the agent must not know)\n\nThe answer.',
    );
  });

  test.each([
    ['of a key', '---\nenviron|ment: tiny\n---\n', 'environment', 'The environment whose observations'],
    [
      'of an option',
      '---\nenvironment: tiny\noptions: { si|ze: 3 }\n---\n',
      'size',
      'Whole number from 1 to 9. Example: `3`',
    ],
    ['of a key inside', '---\nsampling: { to|p_p: 1 }\n---\n', 'top_p', 'Number from 0 to 1'],
    ['of an environment', '---\nenvironment: ti|ny\n---\n', 'tiny', '**Tiny**\n\nCount up to a number.'],
    [
      'of a split',
      '---\nenvironment: tiny\nsplit: pra|ctice\n---\n',
      'practice',
      '5 instances. The preview starts on it.',
    ],
    ['of a test split', '---\nenvironment: tiny\nsplit: held|_out\n---\n', 'held_out', 'It is a test split'],
  ])('%s', (_, text, on, expected) => {
    const found = hover(text);
    expect(found.on).toBe(on);
    expect(found.text).toContain(expected);
  });

  test.each([
    '---\nwhat|ever: 1\n---\n',
    tinyPrompt('user:\nHel|lo'),
    tinyPrompt('user:\n{{unk|nown}}'),
    tinyPrompt('us|er:\n'),
    '|',
  ])('none in %j', (text) => expect(hover(text)).toEqual({ text: '', on: null }));

  test('long values are cut, and back-ticks in them end no code block', () => {
    const long = `\`\`\`\n${'word '.repeat(1000)}`;
    const wordy = { ...tiny, observe: () => ({ goal: long }) };
    const document = openPrompt(tinyPrompt('user:\n{{goal}}'));
    const found = createLanguageService([wordy]).hover(
      document,
      document.positionAt(document.getText().length - 4),
      DEFAULTS,
      token,
    );
    expect(textOf(found).length).toBeLessThan(1000);
    expect(textOf(found)).toMatch(/\n````text\n```\nword [^`]*…\n````$/);
  });
});

describe('definition', () => {
  /** The lines that a definition leads to. */
  function definition(textWithBar: string): string[] {
    const { document, position } = openAtCursor(textWithBar);
    return service.definition(document, position, token).map(({ uri, range }) => {
      const page = service.readInstance(uri);
      if (!page.ok) throw new Error(page.error);
      return `${uri} ${page.value.split('\n')[range.start.line]}`;
    });
  }
  const page = 'hopscope:/docs/tiny.md';

  test.each([
    [tinyPrompt('user:\n{{go|al}}'), `${page} ### goal`],
    [tinyPrompt('user:\n{{#sa|id}}{{/said}}'), `${page} ### said`],
    [tinyPrompt('user:\n{{#said}}{{/sa|id}}'), `${page} ### said`],
    [tinyPrompt('user:\n{{#said}}{{te|xt}}{{/said}}'), `${page} - \`text\` (text): The words. \`1\``],
    [tinyPrompt('user:\n{{#said}}{{go|al}}{{/said}}'), `${page} ### goal`],
    ['---\nenvironment: ti|ny\n---\n', `${page} # Tiny`],
    ['---\nenvironment: tiny\nsplit: pra|ctice\n---\n', `${page} - \`practice\`: to iterate on; 5 instances`],
    [
      '---\nenvironment: tiny\noptions: { si|ze: 3 }\n---\n',
      `${page} - \`size\` (whole number from 1 to 9): How much more to count. E.g. \`3\``,
    ],
  ])('%j', (text, expected) => expect(definition(text)).toEqual([expected]));

  test.each([
    tinyPrompt('user:\n{{te|xt}}'),
    tinyPrompt('user:\n{{unk|nown}}'),
    tinyPrompt('us|er:'),
    '---\nsplit: tr|ain\n---\n',
  ])('none in %j', (text) => expect(definition(text)).toEqual([]));

  test('every environment has its page', () => {
    for (const { id, title } of environments) {
      expect(service.readInstance(`hopscope:/docs/${id}.md`)).toMatchObject({
        ok: true,
        value: expect.stringContaining(`# ${title}\n`),
      });
    }
    expect(service.readInstance('hopscope:/docs/nowhere.md')).toMatchObject({ ok: false });
  });
});

const layered = `---
format: 1
environment: tiny
split: practice
---
system:
Count.
{{! A note
    of two lines. }}

user:
{{#said}}
- {{text}}{{#last}} {{! short }}
  now
{{/last}}
{{/said}}
{{^said}}
Begin.{{/said}}

`;

test('outline', () => {
  const document = openPrompt(layered);
  const show = ({ name, detail, selectionRange, children }: DocumentSymbol): unknown => [
    [name, detail, document.getText(selectionRange)].filter(Boolean).join(' | '),
    ...(children ?? []).map(show),
  ];
  expect(service.documentSymbols(document, DEFAULTS, token).map(show)).toEqual([
    ['front matter | tiny, practice | ---'],
    ['system | system:'],
    ['user | user:', ['#said | {{#said}}', ['#last | {{#last}}']], ['^said | {{^said}}']],
  ]);
});

test('folding', () => {
  const lines = layered.split('\n');
  const show = ({ startLine, endLine, kind }: FoldingRange) =>
    [`${lines[startLine]} … ${lines[endLine]}`, kind].filter(Boolean).join(' | ');
  expect(service.foldingRanges(openPrompt(layered), token).map(show)).toEqual([
    '--- … --- | region',
    'system: …     of two lines. }}',
    '{{! A note …     of two lines. }} | comment',
    'user: … Begin.{{/said}}',
    '{{#said}} … {{/last}}',
    '- {{text}}{{#last}} {{! short }} …   now',
    '{{^said}} … Begin.{{/said}}',
  ]);
});

describe('inlay hints', () => {
  const whole = { start: { line: 0, character: 0 }, end: { line: 1000, character: 0 } };
  const text = tinyPrompt(
    'system:\nCount.\nassistant:\nNot at first.{{^words}}{{/words}}\nuser:\nSo far: {{words}}\n',
  );

  function hints(counting: { refreshed: string[]; broken?: boolean }, environment = tiny) {
    return createLanguageService([environment], {
      tokenizer: {
        name: 'letters',
        count: (texts) => Promise.resolve(counting.broken ? null : texts.map(({ length }) => length)),
      },
      refresh: (what) => void counting.refreshed.push(what),
    });
  }

  test('sizes as they are, then with those of the model', async () => {
    const counting = { refreshed: [] };
    const own = hints(counting, { ...tiny, countTokens: (words) => words.split(' ').length });
    const document = openPrompt(text);
    own.prompts.preview(document, { step: 2, index: 1 }, null, DEFAULTS);
    counting.refreshed.length = 0;
    const labels = () => own.inlayHints(document, whole, DEFAULTS, token).map(({ label }) => label);
    expect(labels()).toEqual(['1 token · letters …', '3 tokens · letters …', '3 tokens (max 4) · letters …']);
    await own.prompts.tokens(document);
    expect(counting.refreshed).toEqual(['hints']);
    expect(labels()).toEqual([
      '1 token · letters 6',
      '3 tokens · letters 13',
      '3 tokens (max 4) · letters 9 (max 12)',
    ]);
    const [hint] = own.inlayHints(
      document,
      { start: { line: 4, character: 0 }, end: { line: 5, character: 0 } },
      DEFAULTS,
      token,
    );
    expect(document.offsetAt(hint?.position ?? whole.start)).toBe(text.indexOf('system:') + 'system:'.length);
    expect(hint?.tooltip).toMatchObject({
      value: expect.stringContaining('| Tiny | 1 | 1 |\n| letters | 6 | 6 |'),
    });
  });

  test('without a counter of the environment', async () => {
    const counting = { refreshed: [] };
    const none = hints(counting);
    const document = openPrompt(text);
    const tokens = await none.prompts.tokens(document);
    expect(none.inlayHints(document, whole, DEFAULTS, token).map(({ label }) => label)).toEqual([
      'letters 6',
      'letters 13',
      'letters 8 (max 9)',
    ]);
    expect(tokens).toEqual({
      ok: true,
      value: {
        place: { split: 'practice', index: 0, policy: 'counter', step: 1 },
        tokenizer: 'letters',
        blocks: [6, 13, [8, 9]].map((size) => {
          const [now, most] = [size].flat();
          return { step: { environment: null, model: now }, most: { environment: null, model: most ?? now } };
        }),
        total: { step: { environment: null, model: 27 }, most: { environment: null, model: 28 } },
      },
    });
  });

  test('a tokenizer that does not work is not asked for ever', async () => {
    const counting = { refreshed: [], broken: true };
    const broken = hints(counting);
    const document = openPrompt(text);
    broken.inlayHints(document, whole, DEFAULTS, token);
    expect(await broken.prompts.tokens(document)).toMatchObject({
      ok: true,
      value: { total: { step: { model: null } } },
    });
    expect(counting.refreshed).toEqual([]);
  });

  test('none without an environment', () => {
    expect(hints({ refreshed: [] }).inlayHints(openPrompt('user:\nHello'), whole, DEFAULTS, token)).toEqual(
      [],
    );
  });
});

test('lenses', () => {
  const document = openPrompt(layered);
  expect(service.codeLenses(document, DEFAULTS, token).map(({ command }) => command)).toEqual([
    { title: '$(open-preview) Preview', command: 'hopscope.previewPrompt', arguments: [document.uri] },
    { title: '$(debug-start) Step Episode', command: 'hopscope.stepEpisode', arguments: [document.uri] },
    { title: '$(play) Run Eval (20)', command: 'hopscope.runEval', arguments: [document.uri] },
  ]);
});
