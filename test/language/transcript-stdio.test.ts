/** The features of transcripts through a real server process, each once. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type {
  CodeAction,
  CompletionItem,
  DocumentLink,
  DocumentSymbol,
  FoldingRange,
  Hover,
  InlayHint,
  Location,
  SemanticTokens,
} from 'vscode-languageserver-types';
import { generate } from '../../server/src/engine/environments/navigator/generate.ts';
import { ServerProcess } from '../support/server-process.ts';
import { applied, head, openTranscript, shortest, steps } from '../support/transcripts.ts';

let server: ServerProcess;
const played = head() + steps(...shortest);
const uri = 'file:///project/play.episode';
const address = 'hopscope:/navigator/train/17/hs1-train-17.hopscope-instance';
const textDocument = { uri };
const { document } = openTranscript(played, uri);
const whole = { start: { line: 0, character: 0 }, end: document.positionAt(played.length) };

beforeAll(async () => {
  server = await ServerProcess.start();
  await server.open(uri, 'hopscope-episode', played);
});

afterAll(async () => {
  expect(await server.stop()).toEqual({ code: 0, errors: '' });
});

function ask<R>(method: string, params: object = {}): Promise<R> {
  return server.connection.sendRequest<R>(`textDocument/${method}`, { textDocument, ...params });
}

/** The position after `snippet`. */
function after(snippet: string): { position: { line: number; character: number } } {
  return { position: document.positionAt(played.indexOf(snippet) + snippet.length) };
}

test('inlay hints', async () => {
  const hints = await ask<InlayHint[]>('inlayHint', { range: whole });
  expect(hints.map(({ label }) => label).at(-1)).toBe('· 451/600 tokens · end, reward 0.95');
});

test('hover and definition', async () => {
  const hover = await ask<Hover>('hover', after('READ 2'));
  expect(hover.contents).toMatchObject({
    kind: 'markdown',
    value: expect.stringMatching(/^`\[28\] Project/),
  });
  const [location] = await ask<Location[]>('definition', after('READ 2'));
  expect(location?.uri).toBe(address);
  const instance = await server.ask('hopscope/readInstance', { uri: address });
  if (!instance.ok || !location) throw new Error('no instance');
  const opened = TextDocument.create(address, 'hopscope-instance', 1, instance.value);
  expect(opened.getText(location.range)).toBe('[28] (344 tokens)');
});

test('completion', async () => {
  const items = await ask<CompletionItem[]>('completion', after('ACTION: READ '));
  expect(items[0]).toMatchObject({
    label: '28',
    labelDetails: { description: expect.stringContaining('Vermilion') },
  });
});

test('code actions', async () => {
  const { position } = after('ACTION: READ 55');
  const range = { start: position, end: position };
  const actions = await ask<CodeAction[]>('codeAction', { range, context: { diagnostics: [] } });
  expect(actions.map(({ title }) => title)).toEqual([
    'Insert the best next action',
    'Replace by the minimal episode from here',
  ]);
  expect(applied(document, actions[0])).toContain(
    '=== step 4\nTHOUGHT: Esteban Sakamoto: Desk extension = 7401',
  );
});

test('outline, folding, links and tokens', async () => {
  const symbols = await ask<DocumentSymbol[]>('documentSymbol');
  expect(symbols.map(({ name }) => name)).toEqual([
    'hs1-train-17',
    '1 READ 28',
    '2 COMPRESS 28 → S1',
    '3 READ 55',
    '4 ANSWER 7401',
  ]);
  expect(await ask<FoldingRange[]>('foldingRange')).toHaveLength(5);
  const links = await ask<DocumentLink[]>('documentLink');
  expect(links.map(({ target }) => target)).toEqual([address]);
  expect((await ask<SemanticTokens>('semanticTokens/full')).data).toHaveLength(15);
});

test('edits are replayed from where they are', async () => {
  const before = await server.diagnostics(uri);
  expect(before).toMatchObject({ kind: 'full', items: [] });
  const { position } = after('ACTION: ANSWER 74');
  const range = { start: position, end: { ...position, character: position.character + 2 } };
  await server.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range, text: '90' }],
  });
  const report = await server.diagnostics(uri, before.resultId);
  expect(report).toMatchObject({
    kind: 'full',
    items: [{ code: 'transcript.failed' }, { code: 'navigator.distractor-answer' }],
  });
  const hints = await ask<InlayHint[]>('inlayHint', { range: whole });
  expect(hints.at(-1)?.label).toBe('· 451/600 tokens · end, reward 0');
});

test('spoilers can be hidden', async () => {
  server.settings = { spoilers: 'hide' };
  await server.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
  expect(await server.diagnostics(uri)).toMatchObject({ kind: 'full', items: [] });
  const { position } = after('ACTION: READ 55');
  const range = { start: position, end: position };
  expect(await ask<CodeAction[]>('codeAction', { range, context: { diagnostics: [] } })).toEqual([]);
  const items = await ask<CompletionItem[]>('completion', after('ACTION: READ '));
  expect(items[0]?.label).toBe('0');
});

test('an instance in a file beside the transcript', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'transcript-'));
  const made = generate('train', 17);
  if (!made.ok) throw new Error(made.error);
  const file = path.join(folder, 'mine.jsonl');
  writeFileSync(file, `${JSON.stringify({ ...made.value.instance, id: 'mine-1' })}\n`);
  const text = played.replace('instance: hs1-train-17', 'instance: mine-1\ninstances: mine.jsonl');
  const open = async (name: string, content: string) => {
    const address = pathToFileURL(path.join(folder, name)).href;
    await server.open(address, 'hopscope-episode', content);
    return server.diagnostics(address);
  };
  expect(await open('good.episode', text)).toMatchObject({ kind: 'full', items: [] });
  const hints = await server.connection.sendRequest<InlayHint[]>('textDocument/inlayHint', {
    textDocument: { uri: pathToFileURL(path.join(folder, 'good.episode')).href },
    range: whole,
  });
  expect(hints).toHaveLength(4);
  expect(await open('other.episode', text.replace('mine-1', 'mine-2'))).toMatchObject({
    items: [{ code: 'transcript.unknown-instance', message: expect.stringContaining('mine-2') }],
  });
  expect(await open('lost.episode', text.replace('mine.jsonl', 'lost.jsonl'))).toMatchObject({
    items: [{ code: 'transcript.unknown-instance', message: expect.stringContaining('lost.jsonl') }],
  });
  expect(await open('far.episode', text.replace('mine.jsonl', '"//elsewhere/mine.jsonl"'))).toMatchObject({
    items: [
      { code: 'transcript.unknown-instance', message: expect.stringContaining('cannot be read from here') },
    ],
  });

  // Transcripts follow when the file changes, is taken away, and is there again.
  const pull = async (name: string) => {
    const { refreshes } = server;
    const uri = pathToFileURL(file).href;
    await server.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri, type: 2 }],
    });
    const report = await server.diagnostics(pathToFileURL(path.join(folder, name)).href);
    expect(server.refreshes).toBe(refreshes + 1);
    return report;
  };
  const other = {
    ...made.value.instance,
    id: 'mine-1',
    env: { ...made.value.instance.env, context_ceiling: 300 },
  };
  writeFileSync(file, `${JSON.stringify(other)}\n`);
  expect(await pull('good.episode')).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ code: 'navigator.ceiling-exceeded' })]),
  });
  rmSync(file);
  expect(await pull('good.episode')).toMatchObject({ items: [{ code: 'transcript.unknown-instance' }] });
  writeFileSync(file, `${JSON.stringify({ ...made.value.instance, id: 'mine-2' })}\n`);
  expect(await pull('other.episode')).toMatchObject({ items: [] });
  const { refreshes } = server;
  const changes = [{ uri: pathToFileURL(path.join(folder, 'steps.jsonl')).href, type: 2 }];
  await server.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
  await server.diagnostics(pathToFileURL(file).href);
  expect(server.refreshes).toBe(refreshes);
  rmSync(folder, { recursive: true });
});

test('a new transcript', async () => {
  const made = await server.ask('hopscope/newTranscript', { uri: address });
  expect(made).toEqual({
    ok: true,
    value:
      '---\nformat: 1\nenvironment: navigator\ninstance: hs1-train-17\nsplit: train\nindex: 17\n---\n\n=== step 1\n',
  });
  const selector = { environment: 'navigator', split: 'train', index: 17, options: { n_hops: [3] } };
  const special = await server.ask('hopscope/newTranscript', selector);
  expect(special).toMatchObject({ ok: true, value: expect.stringContaining('instance: hs1-train-17-h3\n') });
  const text = special.ok ? special.value : '';
  await server.open('untitled:Untitled-1', 'hopscope-episode', text);
  expect(await server.diagnostics('untitled:Untitled-1')).toMatchObject({ kind: 'full', items: [] });
  expect(await server.ask('hopscope/newTranscript', { ...selector, split: 'nowhere' })).toMatchObject({
    ok: false,
  });
});
