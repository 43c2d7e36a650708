/** Every feature of transcripts but diagnostics. A bar in a text is the cursor. */
import { describe, expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-jsonrpc';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type Hover, type InlayHint, MarkupContent, Range } from 'vscode-languageserver-types';
import { navigator } from '../../server/src/engine/environments/navigator/index.ts';
import { environments } from '../../server/src/engine/environments/registry.ts';
import { TOKEN_LEGEND } from '../../server/src/language/semantic-tokens.ts';
import { DEFAULTS } from '../../server/src/language/settings.ts';
import { service, token } from '../support/language.ts';
import { applied, head, openTranscript, shortest, steps } from '../support/transcripts.ts';

const shown = { ...DEFAULTS, spoilers: true };
const hidden = { ...DEFAULTS, spoilers: false };
const whole = Range.create(0, 0, 10_000, 0);
const played = head() + steps(...shortest);

describe('inlay hints', () => {
  function hints(text: string, range = whole): string[] {
    const { document } = openTranscript(text);
    return service.inlayHints(document, range, shown, token).map(({ position, label }: InlayHint) => {
      const line = document.getText(Range.create(position.line, 0, position.line, position.character));
      return `${line}| ${label}`;
    });
  }

  test('how full the working context is, and the reward so far', () => {
    expect(hints(played)).toEqual([
      '=== step 1| · 344/600 tokens · reward 0',
      '=== step 2| · 7/600 tokens · reward 0',
      '=== step 3| · 451/600 tokens · reward 0',
      '=== step 4| · 451/600 tokens · end, reward 0.95',
    ]);
  });

  test('of an open step and of one that is not played', () => {
    expect(hints(head() + steps('ACTION: READ 28', '')).at(-1)).toBe('=== step 2| · 344/600 tokens');
    expect(hints(played + steps('ACTION: DROP 1')).at(-1)).toBe('=== step 1| · not played');
    expect(hints(`${played}\n=== step 5`).at(-1)).toBe('=== step 5| · not played');
  });

  test('only those that are asked for', () => {
    expect(hints(played, Range.create(9, 0, 10, 0))).toEqual(['=== step 2| · 7/600 tokens · reward 0']);
  });

  test('none without an instance', () => {
    expect(hints(played.replace('hs1-train-17', 'elsewhere'))).toEqual([]);
  });
});

/** The Markdown of a hover, with links as their texts and escapes resolved, and what it is about. */
function read(document: TextDocument, hover: Hover | null): string | null {
  if (hover === null || !MarkupContent.is(hover.contents) || !hover.range) return null;
  const value = hover.contents.value
    .replace(/\[((?:\\.|[^\]])*)\]\(command:[^)]*\)/g, '$1')
    .replace(/\\(.)/g, '$1');
  return `${document.getText(hover.range)}: ${value}`;
}

function hover(text: string, settings = shown): string | null {
  const { document, cursor } = openTranscript(text);
  return read(document, service.hover(document, cursor, settings, token));
}

describe('hover', () => {
  test('on a chunk: its map line, its size beside what is free, its text', () => {
    const found = hover(head() + steps('I look at chunk 5|5.\nACTION: READ 28'));
    expect(found).toMatch(
      /^55: `\[55\] Personnel Directory · Elif Sakamoto – Hedda Falkner · 444 tokens`\n\n444 tokens, fits into the 600 that are free\n\n```text\nPersonnel Directory · /,
    );
    expect(hover(head() + steps('ACTION: READ 28', 'ACTION: DROP [2|8]'))).toMatch(
      /^\[28\]: .*\n\n344 tokens, held\n/,
    );
    expect(hover(head() + steps('ACTION: READ 28', 'ACTION: READ |55'))).toMatch(/does not fit into the 256/);
    expect(hover(head() + steps('ACTION: READ 28', 'ACTION: DROP 28', 'ACTION: READ 2|8'))).toMatch(
      /read before, fits/,
    );
    expect(hover(head() + steps('ACTION: READ 9|99'))).toBeNull();
  });

  test('on a summary: its sources and text', () => {
    expect(hover(`${played.replace('ANSWER 7401', 'DROP S1|, 55')}`)).toBe(
      'S1: **S1** from 28, made in step 2, 7 tokens\n\n```text\nVermilion Kestrel: Lead = Esteban Sakamoto\n```',
    );
    expect(hover(head() + steps('THOUGHT: s|7\nACTION: DROP 3'))).toBeNull();
  });

  test('on a name and on a value: as in the instance', () => {
    const name = played.replace('Lead = Esteban', 'Lead = Este|ban');
    expect(hover(name)).toContain('Esteban Sakamoto: **Esteban Sakamoto** · person · chunk 55');
    expect(hover(name)).toContain('**Evidence** of hop 2 of 2');
    expect(hover(name, hidden)).not.toContain('Evidence');
    expect(hover(played.replace('7401', '74|01'))).toBe(
      '7401: **7401** · Desk extension\n\nof Esteban Sakamoto (chunk 55)\n\n---\n\n**Answer**, found at hop 2 of 2.',
    );
    expect(hover(played.replace('7401', '74|01'), hidden)).not.toContain('Answer');
  });

  test('on a marker: how the episode stands before the step', () => {
    const text = played.replace('=== step 3', '=== st|ep 3');
    expect(hover(text)).toBe(
      '=== step 3: **7 of 600 tokens** held, 593 free, 12 of 14 steps left\n\n- `S1` 7 tokens from 28\n\n' +
        'Next: the desk extension of Esteban Sakamoto, in chunk 55. At least 2 steps to the end.',
    );
    expect(hover(text, hidden)).not.toContain('Next');
  });

  test('in an escaped reply', () => {
    const text = `${head()}\n=== step 1 escaped\n"THOUGHT: \\u0000 chunk \\u0035|5\\n"\n"ACTION: READ 28 "\n`;
    expect(hover(text)).toMatch(/^\\u00355: `\[55\]/);
  });

  test('nowhere else', () => {
    expect(hover(`|${played}`)).toBeNull();
    expect(hover(played.replace('READ 28', 'RE|AD 28'))).toBeNull();
    expect(hover(played.replace('hs1-train-17', 'elsewhere').replace('READ 28', 'READ 2|8'))).toBeNull();
  });
});

describe('go to definition', () => {
  const uri = 'hopscope:/navigator/train/17/hs1-train-17.hopscope-instance';
  const instance = TextDocument.create(uri, 'hopscope-instance', 1, textOf(uri));

  function textOf(address: string): string {
    const read = service.readInstance(address);
    if (!read.ok) throw new Error(read.error);
    return read.value;
  }

  function target(text: string): string[] {
    const { document, cursor } = openTranscript(text);
    return service.definition(document, cursor, token).map((location) => {
      expect(location.uri).toBe(uri);
      return instance.getText(location.range);
    });
  }

  test.each<[string, readonly string[]]>([
    [played.replace('READ 28', 'READ 2|8'), ['[28] (344 tokens)']],
    [played.replace('Vermilion', 'Verm|ilion'), ['Vermilion Kestrel']],
    [played.replace('7401', '7401|'), ['7401']],
    [played.replace('hs1-', 'hs1|-'), ['']],
    [played.replace('ANSWER 7401', 'DROP S1|'), []],
    [played.replace('READ 28', 'READ 28|8'), []],
    [played.replace('ACTION', 'ACT|ION'), []],
    [played.replace('hs1-train-17', 'else|where'), []],
  ])('%#', (text, expected) => {
    expect(target(text)).toEqual(expected);
  });
});

describe('completion in front matter', () => {
  test.each<[text: string, labels: readonly string[]]>([
    ['---\nenvironment: |\n---\n', environments.map(({ id }) => id)],
    ['---\nenvironment: navigator\nsplit: |\n---\n', ['train', 'id_test', 'ood_test', 'scale_test']],
    ['---\nmodel: |\n---\n', ['some-model']],
    ['---\noutcome: { correct: | }\n---\n', ['true', 'false']],
    ['---\nenvironment: navigator\noptions: { reward: { allow_abstain: | } }\n---\n', ['true', 'false']],
    ['---\nenvironment: navigator\npolicy: |\n---\n', navigator.policies.map(({ id }) => id)],
  ])('%j', (text, labels) => {
    const { document, cursor } = openTranscript(text);
    const items = service.completion(document, cursor, { ...shown, models: ['some-model'] }, token);
    expect(items.map(({ label }) => label)).toEqual(labels);
  });

  test('keys that are not there yet', () => {
    const { document, cursor } = openTranscript('---\nformat: 1\nenvironment: navigator\nin|\n---\n');
    const labels = service.completion(document, cursor, shown, token).map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(['instance', 'split', 'outcome']));
    expect(labels).not.toContain('format');
  });
});

describe('completion', () => {
  function complete(text: string, settings = shown) {
    const { document, cursor } = openTranscript(text);
    const items = service.completion(document, cursor, settings, token);
    const sorted = [...items].sort((a, b) => (a.sortText ?? '').localeCompare(b.sortText ?? ''));
    return { document, items: sorted, labels: sorted.map(({ label }) => label) };
  }

  test.each([
    ['|', 'ACTION: READ'],
    ['AC|', 'ACTION: READ'],
    ['ACTION: |', 'ACTION: READ'],
    ['ACTION: RE|', 'ACTION: READ'],
    ['THOUGHT: so\nACTION:RE|', 'THOUGHT: so\nACTION:READ'],
  ])('verbs: %j', (typed, result) => {
    const { document, items, labels } = complete(head() + steps('ACTION: READ 28', typed));
    expect(labels).toEqual(['READ', 'COMPRESS', 'DROP', 'ANSWER']);
    const edit = items[0]?.textEdit;
    if (!edit || !('range' in edit)) throw new Error('no edit');
    expect(TextDocument.applyEdits(document, [edit])).toContain(`=== step 2\n${result}\n`);
  });

  test('chunks to read, what can hold the wanted entity first', () => {
    const text = head() + steps(...shortest.slice(0, 2), 'ACTION: READ |');
    const { items, labels } = complete(text);
    expect(labels[0]).toBe('55');
    expect(items[0]).toMatchObject({
      labelDetails: { description: 'Elif Sakamoto – Hedda Falkner (Personnel Directory, 444 tokens)' },
      filterText: expect.stringContaining('55 Elif Sakamoto'),
    });
    expect(labels.length).toBeGreaterThan(50);
    expect(complete(text, hidden).labels.slice(0, 3)).toEqual(['0', '1', '2']);
  });

  test('chunks that fit before those that do not, and none that is held', () => {
    const { labels, items } = complete(head() + steps('ACTION: READ 28', 'ACTION: READ 5|'), hidden);
    expect(labels).not.toContain('28');
    expect(items[0]?.labelDetails?.description).toContain('does not fit');
  });

  test.each([
    ['ACTION: DROP |', ['28']],
    ['ACTION: DROP 28, |', []],
    ['ACTION: COMPRESS |', ['28']],
    ['ACTION: COMPRESS 28 :: |', []],
    ['ACTION: READ 28, |', []],
    ['ACTION: ANSWER |', []],
    ['THOUGHT: |', []],
  ])('held ids, and nothing where anything may stand: %j', (typed, expected) => {
    expect(complete(head() + steps('ACTION: READ 28', typed)).labels).toEqual(expected);
  });

  test('the next marker, with the numbers after it', () => {
    const { document, items } = complete(
      `${head()}${steps('ACTION: READ 28')}\n=|\n\n=== step 2\nACTION: DROP 28\n`,
    );
    expect(items.map(({ label }) => label)).toEqual(['=== step 2']);
    const edits = items.flatMap(({ textEdit, additionalTextEdits = [] }) =>
      textEdit && 'range' in textEdit ? [textEdit, ...additionalTextEdits] : [],
    );
    expect(TextDocument.applyEdits(document, edits)).toBe(
      `${head()}${steps('ACTION: READ 28')}\n=== step 2\n\n=== step 3\nACTION: DROP 28\n`,
    );
  });

  test('nothing on a marker, in an escaped reply, in reasoning and without an instance', () => {
    expect(complete(played.replace('=== step 2', '=== step 2 |')).labels).toEqual([]);
    expect(complete(`${head()}\n=== step 1 escaped\n"ACTION: READ |"\n`).labels).toEqual([]);
    expect(complete(`${head()}\n=== step 1\nx\n=== reasoning\nACTION: READ |\n`).labels).toEqual([]);
    expect(
      complete(played.replace('hs1-train-17', 'elsewhere').replace('READ 28', 'READ |28')).labels,
    ).toEqual([]);
  });
});

describe('code actions', () => {
  function actions(text: string, settings = shown) {
    const { document, cursor } = openTranscript(text);
    const list = service.codeActions(document, Range.create(cursor, cursor), settings, token);
    return { document, list, titles: list.map(({ title }) => title) };
  }

  /** The text after the action of that title. */
  function changed(text: string, title: string): string {
    const { document, list } = actions(text);
    return applied(
      document,
      list.find((action) => action.title === title),
    );
  }

  const best = 'Insert the best next action';
  const minimal = 'Replace by the minimal episode from here';

  test('insert the best next action: after a step, into an open one, as the first', () => {
    const second = `\n=== step 2\nTHOUGHT: Chunk 55 takes 444 tokens and must fit next.\n${shortest[1]}\n`;
    expect(changed(`${head()}${steps('ACTION: REA|D 28')}`, best)).toBe(
      head() + steps('ACTION: READ 28') + second,
    );
    expect(changed(`${head()}${steps('ACTION: READ 28', '')}|`, best)).toBe(
      `${head()}${steps('ACTION: READ 28')}${second}\n`,
    );
    expect(changed(`${head()}|`, best)).toContain(
      '=== step 1\nTHOUGHT: The lead of Vermilion Kestrel must stand',
    );
    const between = changed(`${head()}${steps('ACTION: REA|D 28', 'ACTION: DROP 28')}`, best);
    expect(between).toBe(`${head()}${steps('ACTION: READ 28')}${second}\n=== step 3\nACTION: DROP 28\n`);
  });

  test('replace by the minimal episode from here', () => {
    const text = changed(
      `${head()}${steps('ACTION: READ 28', 'ACTION: DR|OP 28', 'ACTION: READ 1')}`,
      minimal,
    );
    expect(text.match(/^ACTION: \S+/gm)).toEqual([
      'ACTION: READ',
      'ACTION: COMPRESS',
      'ACTION: READ',
      'ACTION: ANSWER',
    ]);
    const document = TextDocument.create('test:/a', 'hopscope-episode', 1, text);
    expect(service.diagnostics(document, shown, token)).toEqual([]);
  });

  test('make room before a read that does not fit', () => {
    const text = head() + steps('ACTION: READ 28', 'ACTION: READ 5|5', 'ACTION: ANSWER 7401');
    expect(changed(text, 'Compress before this read')).toContain(
      `\n=== step 2\nTHOUGHT: Chunk 55 takes 444 tokens and needs room.\n${shortest[1]}\n\n=== step 3\nACTION: READ 55\n\n=== step 4\n`,
    );
    expect(changed(text, 'Drop what is held before this read')).toContain('ACTION: DROP 28\n\n=== step 3\n');
    expect(actions(text, hidden).titles).toEqual(['Drop what is held before this read']);
  });

  test('nothing of the best way when spoilers are hidden', () => {
    const text = head() + steps('ACTION: READ |1');
    expect(actions(text).titles).toEqual(['Read chunk 28 instead', best, minimal]);
    expect(actions(text, hidden).titles).toEqual([]);
  });

  test.each<[string, string, string]>([
    ['ACTION: REED| 28', 'Change to READ', 'ACTION: READ 28'],
    ['ACTION: COMPRESS 28| x', 'Insert ::', 'ACTION: COMPRESS 28 :: x'],
    ['ACTION: READ |1', 'Read chunk 28 instead', 'ACTION: READ 28'],
  ])('%j: %s', (reply, title, expected) => {
    expect(changed(head() + steps(reply), title)).toBe(head() + steps(expected));
  });

  test('of front matter that lacks something', () => {
    expect(changed('|---\nenvironment: navigator\ninstance: hs1-train-17\n---\n', 'Add "format: 1"')).toBe(
      '---\nformat: 1\nenvironment: navigator\ninstance: hs1-train-17\n---\n',
    );
    expect(changed(head('options: { |context_cieling: 700 }\n'), 'Change to "context_ceiling"')).toBe(
      head('options: { context_ceiling: 700 }\n'),
    );
  });

  test('of the file itself', () => {
    expect(changed(`${head()}\n=== step |7\nx\n\n=== step\ny\n`, 'Number the steps')).toBe(
      `${head()}\n=== step 1\nx\n\n=== step 2\ny\n`,
    );
    expect(changed(`${head()}\n=== |steps 1\nx\n`, 'Change to "=== step"')).toBe(
      `${head()}\n=== step 1\nx\n`,
    );
    expect(changed(`${played}\n=== st|ep 5\nACTION: DROP 1\n`, 'Remove the steps after the end')).toBe(
      `${played}\n`,
    );
    expect(changed(played.replace('navigator', 'navi|gatr'), 'Change to "navigator"')).toBe(played);
    expect(changed(head('index: 1|8\n'), 'Change to 17')).toBe(head('index: 17\n'));
    const recorded = `${head('outcome: { reward: |0, steps: 4, metrics: { n_reads: 9, other: 1 } }\n')}${steps(...shortest)}`;
    expect(changed(recorded, 'Record the outcome of replaying')).toBe(
      `${head('outcome:\n  reward: 0.95\n  correct: true\n  stop: answered\n  steps: 4\n  metrics: { n_reads: 2, other: null }\n')}${steps(...shortest)}`,
    );
  });

  test('keep the line ends of the document', () => {
    const text = `${head()}${steps('ACTION: REA|D 28')}`.replaceAll('\n', '\r\n');
    expect(changed(text, best)).not.toMatch(/[^\r]\n/);
  });
});

describe('outline', () => {
  test('what was played, then step by step', () => {
    const { document } = openTranscript(
      `${head()}${steps(...shortest.slice(0, 2), 'hm')}=== reasoning\nwhy\n=== call look id=1\n{}\n=== verdict judge\n1\n`,
    );
    const symbols = service.documentSymbols(document, shown, token);
    expect(symbols.map(({ name, detail = '' }) => `${name} | ${detail}`)).toEqual([
      'hs1-train-17 | navigator',
      '1 READ 28 | 344/600 tokens',
      '2 COMPRESS 28 → S1 | 7/600 tokens',
      '3 no action | 7/600 tokens',
      'Verdict of judge | ',
    ]);
    expect(symbols[3]?.children?.map(({ name }) => name)).toEqual(['Reasoning', 'Call look']);
    for (const { range, selectionRange } of symbols)
      expect(document.getText(range)).toContain(document.getText(selectionRange));
  });

  test('by first lines without an instance', () => {
    const { document } = openTranscript(played.replace('hs1-train-17', 'elsewhere'));
    const names = service.documentSymbols(document, shown, token).map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['elsewhere', '1 ACTION: READ 28']);
  });
});

test('folding: front matter, steps and their parts', () => {
  const { document } = openTranscript(`${head()}${steps('a\nb', 'c')}=== reasoning\nwhy\n\n\n`);
  const ranges = service.foldingRanges(document, token);
  expect(ranges.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
    [0, 4],
    [6, 8],
    [10, 13],
    [12, 13],
  ]);
});

test('links to the instance, the step prompt and the file of instances', () => {
  const front = head('prompt: ../prompts/my prompt#1.step.md\n');
  const { document } = openTranscript(front);
  const links = service.documentLinks(document, token);
  expect(links.map(({ range, target }) => [document.getText(range), target])).toEqual([
    ['hs1-train-17', 'hopscope:/navigator/train/17/hs1-train-17.hopscope-instance'],
    ['../prompts/my prompt#1.step.md', 'file:///prompts/my%20prompt%231.step.md'],
  ]);
  const untitled = openTranscript(front, 'untitled:Untitled-1').document;
  expect(service.documentLinks(untitled, token)).toHaveLength(1);
});

test('semantic tokens: names and values of the document, with what they are for those who may know', () => {
  const { document } = openTranscript(
    `${head()}${steps(`THOUGHT: not Malika Salazar\n${shortest[1]}`)}\n=== step 2 escaped\n"ANSWER 7401 \\n"\n`,
  );
  const tokensOf = (settings: typeof shown) => {
    const numbers = service.semanticTokens(document, null, settings, token);
    const found: string[] = [];
    let line = 0;
    let character = 0;
    for (let i = 0; i < numbers.length; i += 5) {
      const [moved = 0, column = 0, length = 0, type = 0, bits = 0] = numbers.slice(i, i + 5);
      line += moved;
      character = moved === 0 ? character + column : column;
      const modifiers = TOKEN_LEGEND.tokenModifiers.filter((_, bit) => bits & (1 << bit));
      const text = document.getText(Range.create(line, character, line, character + length));
      found.push(`${[TOKEN_LEGEND.tokenTypes[type], ...modifiers].join('.')} ${text}`);
    }
    return found;
  };
  expect(tokensOf(shown)).toEqual([
    'entity Malika Salazar',
    'entity.evidence Vermilion Kestrel',
    'entity.evidence Esteban Sakamoto',
    'value.evidence.answer 7401',
  ]);
  expect(tokensOf(hidden)).toEqual([
    'entity Malika Salazar',
    'entity Vermilion Kestrel',
    'entity Esteban Sakamoto',
    'value 7401',
  ]);
});

test('a cancelled request does no work', () => {
  const source = new CancellationTokenSource();
  source.cancel();
  const { document, cursor } = openTranscript(played);
  expect(service.diagnostics(document, shown, source.token)).toEqual([]);
  expect(service.inlayHints(document, whole, shown, source.token)).toEqual([]);
  expect(service.hover(document, cursor, shown, source.token)).toBeNull();
});
