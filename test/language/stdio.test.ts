/** The same features through a real server process, over its standard streams. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-jsonrpc';
import type { Diagnostic, DocumentSymbol, FoldingRange } from 'vscode-languageserver-types';
import { ServerProcess } from '../support/server-process.ts';

let server: ServerProcess;

/** A transcript in which only the reply may be wrong. */
function transcript(reply: string): string {
  return `---\nformat: 1\nenvironment: navigator\ninstance: hs1-train-17\n---\n=== step 1\n${reply}`;
}

beforeAll(async () => {
  server = await ServerProcess.start();
});

afterAll(async () => {
  expect(await server.stop()).toEqual({ code: 0, errors: '' });
});

/** The diagnostics of a document as `code |text|`. */
async function problemsOf(uri: string, text: string): Promise<string[]> {
  const report = await server.diagnostics(uri);
  if (report.kind !== 'full') throw new Error('The report is not full.');
  return report.items.map(({ code, range }: Diagnostic) => {
    const line = text.split('\n')[range.start.line] ?? '';
    return `${code} |${line.slice(range.start.character, range.end.character)}|`;
  });
}

describe('diagnostics', () => {
  test('of a transcript, a step prompt and a fenced transcript', async () => {
    const action = 'ACTION: READ S1\n';
    await server.open('test:/a.episode', 'hopscope-episode', transcript(action));
    expect(await problemsOf('test:/a.episode', transcript(action))).toEqual(['action.read-needs-chunk |S1|']);

    const prompt = 'system:\nACTION: READ <id>\nACTION: READ S1\n';
    await server.open('test:/a.step.md', 'hopscope-prompt', prompt);
    expect(await problemsOf('test:/a.step.md', prompt)).toContain('action.read-needs-chunk |S1|');

    const markdown = `${action}\n\`\`\`hopscope-episode\n${action}\`\`\`\n`;
    await server.open('test:/a.md', 'markdown', markdown);
    expect(await problemsOf('test:/a.md', markdown)).toEqual(['action.read-needs-chunk |S1|']);
  });

  test('are not sent again while nothing changes', async () => {
    const uri = 'test:/unchanged.episode';
    await server.open(uri, 'hopscope-episode', transcript('ACTION: READ'));
    const first = await server.diagnostics(uri);
    expect(first).toMatchObject({ kind: 'full', items: [{ code: 'action.no-ids', source: 'hopscope' }] });
    expect(await server.diagnostics(uri, first.resultId)).toEqual({
      kind: 'unchanged',
      resultId: first.resultId,
    });
    await server.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [
        { range: { start: { line: 6, character: 12 }, end: { line: 6, character: 12 } }, text: ' 28' },
      ],
    });
    const second = await server.diagnostics(uri, first.resultId);
    expect(second).toMatchObject({ kind: 'full', items: [] });
    await server.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    await server.open(uri, 'hopscope-episode', transcript('ACTION: READ'));
    expect(await server.diagnostics(uri, second.resultId)).toMatchObject({ kind: 'full', items: [{}] });
  });

  test('follow the settings', async () => {
    const uri = 'test:/settings.md';
    await server.open(uri, 'markdown', '```hopscope-episode\nACTION: READ\n```');
    const before = await server.diagnostics(uri);
    expect(before).toMatchObject({ items: [{ code: 'action.no-ids' }] });
    const refreshes = server.refreshes;
    server.settings = { markdown: { checkTranscripts: false } };
    await server.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    expect(await server.diagnostics(uri, before.resultId)).toMatchObject({ kind: 'full', items: [] });
    expect(server.refreshes).toBe(refreshes + 1);
    server.settings = {};
    await server.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
  });

  test('of hostile text', async () => {
    const line = 'ACTION: COMPRESS 1 :: '.padEnd(10_000_000, 'x\u0000\ud800 ');
    await server.open('test:/hostile.episode', 'hopscope-episode', line);
    expect(await server.diagnostics('test:/hostile.episode')).toMatchObject({ kind: 'full' });
    await server.connection.sendNotification('textDocument/didClose', {
      textDocument: { uri: 'test:/hostile.episode' },
    });
  });

  test('of a document that is not open are none', async () => {
    expect(await server.diagnostics('test:/closed.episode')).toEqual({ kind: 'full', items: [] });
  });

  test('a cancelled request ends', async () => {
    const cancellation = new CancellationTokenSource();
    const textDocument = { uri: 'test:/a.episode' };
    const pulled = server.connection.sendRequest(
      'textDocument/diagnostic',
      { textDocument },
      cancellation.token,
    );
    cancellation.cancel();
    // It may have been answered before the word of its cancelling arrived.
    await pulled.then(
      (report) => expect(report).toMatchObject({ kind: 'full' }),
      (error: unknown) => expect(error).toMatchObject({ code: -32800 }),
    );
  });
});

describe('instances', () => {
  test('are listed, located, read and outlined', async () => {
    const environments = await server.ask('hopscope/environments', null);
    const navigator = environments.find(({ id }) => id === 'navigator');
    expect(navigator?.splits.map(({ id, size }) => [id, size])).toEqual([
      ['train', 2000],
      ['id_test', 300],
      ['ood_test', 300],
      ['scale_test', 150],
    ]);
    const located = await server.ask('hopscope/locateInstance', {
      environment: 'navigator',
      split: 'train',
      index: 17,
    });
    if (!located.ok) throw new Error(located.error);
    const { uri, id } = located.value;
    expect(uri).toBe(`hopscope:/navigator/train/17/${id}.hopscope-instance`);
    const read = await server.ask('hopscope/readInstance', { uri });
    if (!read.ok) throw new Error(read.error);
    expect(read.value).toMatch(new RegExp(`^${id} \\(navigator, train\\)\n\nQuestion: What`));

    await server.open(uri, 'hopscope-instance', read.value);
    const textDocument = { uri };
    const symbols = await server.connection.sendRequest<DocumentSymbol[]>('textDocument/documentSymbol', {
      textDocument,
    });
    expect(symbols[0]?.name).toBe(id);
    const section = symbols.find(({ name }) => name === 'Personnel Directory');
    expect(section?.children?.length).toBeGreaterThan(1);
    const [chunk] = section?.children ?? [];
    expect(chunk?.name).toMatch(/^\[\d+\] .+ – .+$/);
    expect(chunk?.children?.length).toBeGreaterThan(1);
    const ranges = await server.connection.sendRequest<FoldingRange[]>('textDocument/foldingRange', {
      textDocument,
    });
    expect(ranges).toContainEqual({
      startLine: section?.range.start.line,
      endLine: (section?.range.end.line ?? 0) - 1,
    });

    // A text that is not what the address says has no outline rather than a wrong one.
    await server.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: 'something else' }],
    });
    expect(await server.connection.sendRequest('textDocument/documentSymbol', { textDocument })).toEqual([]);
  });

  test.each([
    [{ environment: 'nowhere', split: 'train', index: 0 }, /"nowhere".*navigator/],
    [{ environment: 'navigator', split: 'nowhere', index: 0 }, /"nowhere".*train/],
    [{ environment: 'navigator', split: 'train', index: -1 }, /-1/],
    [{ environment: 'navigator', split: 'train', index: 1.5 }, /1\.5/],
    [{ environment: 'navigator', split: 'train', index: 1e300 }, /1e\+300/],
    [{ environment: 'navigator', split: 'train', index: 0, options: { n_hops: [-3] } }, /n_hops/],
  ])('%j is refused in one sentence', async (selector, error) => {
    const located = await server.ask('hopscope/locateInstance', selector);
    expect(located).toEqual({ ok: false, error: expect.stringMatching(error) });
    expect(located).toEqual({ ok: false, error: expect.stringMatching(/^(?:[A-Z]|n_hops )[^\n]*\.$/) });
  });

  test('an address that is none is refused', async () => {
    const read = await server.ask('hopscope/readInstance', { uri: 'hopscope:/navigator/train/x' });
    expect(read).toEqual({
      ok: false,
      error: 'There is no instance at hopscope:/navigator/train/x.',
    });
  });

  test('an address of another generator is refused', async () => {
    const uri = 'hopscope:/navigator/train/17/hs0-train-17.hopscope-instance';
    const read = await server.ask('hopscope/readInstance', { uri });
    expect(read).toEqual({ ok: false, error: expect.stringContaining('hs0-train-17') });
  });
});

test('a client that can do little is served too', async () => {
  const poor = await ServerProcess.start({});
  await poor.open('test:/a.episode', 'hopscope-episode', transcript('ACTION: READ'));
  expect(await poor.diagnostics('test:/a.episode')).toMatchObject({ kind: 'full', items: [{}] });
  expect(await poor.stop()).toEqual({ code: 0, errors: '' });
});
