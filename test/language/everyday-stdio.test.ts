/** What happens on any day, through a real server process: many folders, nothing new, long files, other line breaks. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver-types';
import { ServerProcess } from '../support/server-process.ts';
import { head, shortest, steps } from '../support/transcripts.ts';

let server: ServerProcess;

beforeAll(async () => {
  server = await ServerProcess.start();
});

afterAll(async () => {
  expect(await server.stop()).toEqual({ code: 0, errors: '' });
});

async function codesOf(uri: string): Promise<unknown[]> {
  const report = await server.diagnostics(uri);
  return report.kind === 'full' ? report.items.map(({ code }: Diagnostic) => code) : ['unchanged'];
}

const prompt =
  '---\nformat: 1\nenvironment: navigator\n---\nuser:\n{{question}} {{map_text}} {{held_text}}\n';
const notes = '```hopscope-episode\nACTION: FETCH 1\n```\n';

/** A text of each language, and what is said about it. */
const texts: readonly (readonly [language: string, name: string, text: string, codes: readonly string[]])[] =
  [
    ['hopscope-prompt', 'a.step.md', `${prompt}{{questoin}}`, ['template.unknown-name']],
    ['hopscope-episode', 'a.episode', head() + steps('ACTION: READ S1'), ['action.read-needs-chunk']],
    ['markdown', 'a.md', notes, ['action.unknown-verb']],
    ['hopscope-instance', 'a.hopscope-instance', 'anything', []],
  ];

test.each(texts)('a %s is not reported again while nothing changes', async (language, name, text, codes) => {
  const uri = `file:///unchanged/${name}`;
  await server.open(uri, language, text);
  const first = await server.diagnostics(uri);
  expect(first).toMatchObject({ kind: 'full', items: codes.map((code) => ({ code })) });
  const again = await server.diagnostics(uri, first.resultId);
  expect(again).toEqual({ kind: 'unchanged', resultId: first.resultId });
  const end = { line: 99, character: 0 };
  await server.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: { start: end, end }, text: '\n' }],
  });
  const changed = await server.diagnostics(uri, first.resultId);
  expect(changed).toMatchObject({ kind: 'full', items: codes.map((code) => ({ code })) });
  expect(changed.resultId).not.toBe(first.resultId);
});

test('folders have settings of their own, for files in them only', async () => {
  server.folderSettings.set('file:///quiet/', { markdown: { checkTranscripts: false } });
  for (const folder of ['loud', 'quiet']) await server.open(`file:///${folder}/a.md`, 'markdown', notes);
  await server.open('untitled:Untitled-1', 'markdown', notes);
  expect(await codesOf('file:///loud/a.md')).toEqual(['action.unknown-verb']);
  expect(await codesOf('file:///quiet/a.md')).toEqual([]);
  expect(await codesOf('untitled:Untitled-1')).toEqual(['action.unknown-verb']);
});

describe('texts of more than a megabyte', () => {
  const long = 'What I hold is all I know, and Vermilion Kestrel must be in chunk 28.\n'.repeat(22_000);
  const many = Array.from({ length: 9_000 }, (_, i) => `THOUGHT: ${'x'.repeat(100)}\nACTION: DROP ${i}`);
  const cases: Readonly<Record<string, readonly [language: string, text: string]>> = {
    'one long reply': ['hopscope-episode', head() + steps(`THOUGHT: ${long}ACTION: READ 28`)],
    'one long reply, CRLF': [
      'hopscope-episode',
      (head() + steps(`THOUGHT: ${long}ACTION: READ 28`)).replaceAll('\n', '\r\n'),
    ],
    'one long escaped reply': [
      'hopscope-episode',
      `${head()}=== step 1 escaped\n${`${JSON.stringify(long.slice(0, 70))}\n`.repeat(20_000)}`,
    ],
    'steps after the end': ['hopscope-episode', head() + steps(...shortest, ...many)],
    'steps without an end': ['hopscope-episode', `${head()}${'=== step 1\n'.repeat(100_000)}`],
    'a long prompt': ['hopscope-prompt', prompt + long],
    'a prompt of many tags': ['hopscope-prompt', prompt + '{{#held}}{{id}}{{/held}}\n'.repeat(45_000)],
    'a prompt of open sections': ['hopscope-prompt', prompt + '{{#held}}'.repeat(130_000)],
    'a prompt of many blocks': ['hopscope-prompt', prompt + 'user:\nx\n'.repeat(60_000)],
    'long notes': ['markdown', notes.repeat(27_000)],
  };

  test.each(Object.entries(cases))('%s', async (name, [language, text]) => {
    const uri = `file:///long/${encodeURIComponent(name)}`;
    await server.open(uri, language, text);
    const textDocument = { uri };
    const position = { line: 500, character: 0 };
    const range = { start: position, end: { line: 560, character: 0 } };
    const about: Readonly<Record<string, object>> = {
      diagnostic: { textDocument },
      documentSymbol: { textDocument },
      foldingRange: { textDocument },
      'semanticTokens/full': { textDocument },
      inlayHint: { textDocument, range },
      hover: { textDocument, position },
      completion: { textDocument, position },
      codeAction: { textDocument, range: { start: position, end: position }, context: { diagnostics: [] } },
    };
    for (const [feature, params] of Object.entries(about)) {
      await server.connection.sendRequest(`textDocument/${feature}`, params);
    }
    if (language === 'hopscope-prompt') {
      const preview = await server.ask('hopscope/previewPrompt', { uri, place: {}, saved: prompt });
      expect(preview.rendering).not.toBeNull();
    }
    await server.connection.sendNotification('textDocument/didClose', { textDocument });
  });
});
