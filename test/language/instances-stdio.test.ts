/** Instances as an editor sees them: through a server process, generated and from files. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-jsonrpc';
import type { CodeLens, Hover, InlayHint, Location, SymbolInformation } from 'vscode-languageserver-types';
import type { InstancePage, InstanceRow, InstanceSource } from '../../server/src/protocol.ts';
import { population } from '../support/population.ts';
import { ServerProcess } from '../support/server-process.ts';
import { smallInstance } from '../support/small-instance.ts';

let server: ServerProcess;
let folder: string;

beforeAll(async () => {
  server = await ServerProcess.start();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'instances-'));
});

afterAll(async () => {
  fs.rmSync(folder, { recursive: true, force: true });
  expect(await server.stop()).toEqual({ code: 0, errors: '' });
});

const train: InstanceSource = { environment: 'navigator', split: 'train' };

/** A file of `lines`; its path and address. */
function write(
  name: string,
  lines: readonly (object | string)[],
): { readonly path: string; readonly file: string } {
  const file = path.join(folder, name);
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  fs.writeFileSync(file, text.join(''));
  return { path: file, file: pathToFileURL(file).href };
}

async function list(source: InstanceSource, from = 0, count = 100, filter = {}): Promise<InstancePage> {
  const page = await server.ask('hopscope/listInstances', { source, from, count, filter });
  if (!page.ok) throw new Error(page.error);
  return page.value;
}

/** Opens the document of a row. */
async function open({ uri }: Pick<InstanceRow, 'uri'>): Promise<string> {
  const read = await server.ask('hopscope/readInstance', { uri });
  if (!read.ok) throw new Error(read.error);
  await server.open(uri, 'hopscope-instance', read.value);
  return read.value;
}

function request<T>(method: string, uri: string, more: object = {}): Promise<T> {
  return server.connection.sendRequest<T>(`textDocument/${method}`, { textDocument: { uri }, ...more });
}

describe('an open instance', () => {
  test('has its features', async () => {
    const [row] = (await list(train, 17, 1)).rows;
    if (!row) throw new Error('no row');
    const text = await open(row);
    const [, anchor = ''] = /of project ([A-Z]\w+ [A-Z]\w+)\?/.exec(text) ?? [];
    const lines = text.split('\n');
    const question = lines.findIndex((line) => line.startsWith('Question: '));
    const position = { line: question, character: (lines[question] ?? '').indexOf(anchor) + 1 };

    const hover = await request<Hover>('hover', row.uri, { position });
    expect(JSON.stringify(hover.contents)).toMatch(new RegExp(`${anchor}.*project.*Evidence`));
    const entry = lines.findIndex((line) => line.startsWith(`${anchor} — `));
    const [definition] = await request<Location[]>('definition', row.uri, { position });
    expect(definition?.range.start).toEqual({ line: entry, character: 0 });
    const references = await request<Location[]>('references', row.uri, {
      position,
      context: { includeDeclaration: true },
    });
    expect(references.map(({ range }) => range.start.line)).toContain(entry);
    expect(await request<object[]>('documentHighlight', row.uri, { position })).not.toEqual([]);

    const lenses = await request<CodeLens[]>('codeLens', row.uri);
    expect(lenses.map(({ command }) => command?.title)).toContainEqual(
      expect.stringMatching(/^hop 1 of \d → /),
    );
    const range = { start: { line: 0, character: 0 }, end: { line: lines.length, character: 0 } };
    const hints = await request<InlayHint[]>('inlayHint', row.uri, { range });
    expect(hints.map(({ label }) => label)).toContainEqual(expect.stringMatching(/^of 600, leaves \d+$/));
    const whole = await request<{ data: number[] }>('semanticTokens/full', row.uri);
    const part = await request<{ data: number[] }>('semanticTokens/range', row.uri, {
      range: { ...range, end: { line: entry + 1, character: 0 } },
    });
    expect(whole.data.slice(0, part.data.length)).toEqual(part.data);
    expect(part.data.length).toBeLessThan(whole.data.length);
    const symbols = await server.connection.sendRequest<SymbolInformation[]>('workspace/symbol', {
      query: anchor,
    });
    expect(symbols.map(({ name }) => name)).toContain(anchor);
    const marks = await server.ask('hopscope/instanceMarks', { uri: row.uri });
    expect(marks.filter(({ kind }) => kind === 'answer')).toHaveLength(1);
  });

  test('tells no secret when spoilers are hidden', async () => {
    const [row] = (await list(train, 17, 1)).rows;
    if (!row) throw new Error('no row');
    server.settings = { spoilers: 'hide' };
    await server.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    const lenses = await request<CodeLens[]>('codeLens', row.uri);
    expect(lenses.map(({ command }) => command?.title)).toEqual([
      'show spoilers',
      'compare with transcript…',
    ]);
    server.settings = {};
    await server.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    expect(await request<CodeLens[]>('codeLens', row.uri)).not.toHaveLength(2);
  });
});

describe('a split', () => {
  test('is listed page by page', async () => {
    const first = await list(train);
    expect(first).toMatchObject({ next: 100, total: 2000 });
    expect(first.rows[17]).toEqual({
      id: 'hs1-train-17',
      uri: 'hopscope:/navigator/train/17/hs1-train-17.hopscope-instance',
      position: 17,
      description: expect.stringMatching(/^[23] hops, 32k document tokens$/),
    });
    const last = await list(train, 1950);
    expect(last.rows).toHaveLength(50);
    expect(last.next).toBeNull();
  });

  test('is filtered', async () => {
    const scale = { environment: 'navigator', split: 'scale_test' };
    const groups = await server.ask('hopscope/instanceGroups', { source: scale });
    if (!groups.ok) throw new Error(groups.error);
    expect(
      groups.value.map(({ id, label, values }) => [id, label, values.map(({ value }) => value)]),
    ).toEqual([
      ['n_hops', 'hops', [3]],
      ['doc_tokens', 'document tokens', [32_000, 64_000, 128_000]],
    ]);
    const sum = groups.value[1]?.values.reduce((all, { count }) => all + count, 0);
    expect(sum).toBe(150);
    const page = await list(scale, 0, 5, { doc_tokens: [128_000] });
    expect(page.rows.map(({ description }) => description)).toEqual(
      Array(5).fill('3 hops, 128k document tokens'),
    );
    const rest = await list(scale, page.next ?? 0, 500, { doc_tokens: [128_000] });
    expect(rest.rows.length + 5).toBe(groups.value[1]?.values[2]?.count);
    expect((await list(scale, 0, 5, { n_hops: [7] })).rows).toEqual([]);
  });

  test('that is none is refused', async () => {
    const source = { environment: 'navigator', split: 'nowhere' };
    const page = await server.ask('hopscope/listInstances', { source, from: 0, count: 1, filter: {} });
    expect(page).toEqual({ ok: false, error: 'There is no split "nowhere" of "navigator".' });
  });
});

describe('a file of instances', () => {
  test('is indexed, listed and read, whatever else is in it', async () => {
    const [one, two] = population('ood_test', 2);
    const { file } = write('mixed.jsonl', [
      { ...smallInstance, id: 'a/b ü' },
      '',
      'no JSON',
      { ...smallInstance, id: 'a/b ü', n_hops: 4 },
      { ...one, origin: 'elsewhere' },
      { some: 'thing' },
      two ?? {},
    ]);
    const page = await list({ file });
    expect(page.rows.map(({ id, position, description }) => [position, id, description])).toEqual([
      [0, 'a/b ü', '2 hops, 2k document tokens'],
      [1, one?.id, `${one?.n_hops} hops, 32k document tokens`],
      [2, two?.id, `${two?.n_hops} hops, 32k document tokens`],
    ]);
    const [first] = page.rows;
    if (!first) throw new Error('no row');
    expect(await open(first)).toMatch(/^a\/b ü \(navigator, train\)\n/);
    expect(await request<object[]>('documentSymbol', first.uri)).not.toEqual([]);
    expect(await request<CodeLens[]>('codeLens', first.uri)).not.toHaveLength(0);
  });

  test('that an editor restored is read again by a new server', async () => {
    const { file } = write('restored.jsonl', [smallInstance]);
    const [row] = (await list({ file })).rows;
    if (!row) throw new Error('no row');
    const text = await open(row);
    const restarted = await ServerProcess.start();
    await restarted.open(row.uri, 'hopscope-instance', text);
    const lenses = await restarted.connection.sendRequest<CodeLens[]>('textDocument/codeLens', {
      textDocument: { uri: row.uri },
    });
    expect(lenses.map(({ command }) => command?.title)).toContainEqual(expect.stringMatching(/^hop 1 of 2/));
    expect(await restarted.stop()).toEqual({ code: 0, errors: '' });
  });

  test('is followed when it changes, and missed in one sentence when it is gone', async () => {
    const { file, path: onDisk } = write('changing.jsonl', [smallInstance]);
    const [row] = (await list({ file })).rows;
    if (!row) throw new Error('no row');
    await open(row);
    expect(await request<object[]>('documentSymbol', row.uri)).not.toEqual([]);
    write('changing.jsonl', [
      { ...smallInstance, id: 'another' },
      { ...smallInstance, n_hops: 1, doc_tokens: 9 },
    ]);
    expect((await list({ file })).rows.map(({ id }) => id)).toEqual(['another', 'train-small']);
    const read = await server.ask('hopscope/readInstance', { uri: row.uri });
    expect(read).toMatchObject({ ok: true, value: expect.stringContaining('Hops: 1\nTokens: 9 in') });

    fs.rmSync(onDisk);
    const gone = {
      ok: false,
      error: expect.stringMatching(/^changing\.jsonl cannot be read: there is no such file[^\n]*\.$/),
    };
    expect(await server.ask('hopscope/readInstance', { uri: row.uri })).toEqual(gone);
    expect(
      await server.ask('hopscope/listInstances', { source: { file }, from: 0, count: 1, filter: {} }),
    ).toEqual(gone);
    // What is open stays what it was.
    expect(await request<object[]>('documentSymbol', row.uri)).not.toEqual([]);
  });

  test.each([
    ['empty.jsonl', [], /^empty\.jsonl holds no instance\. It is empty\.$/],
    [
      'other.jsonl',
      ['{"a":1}'],
      /^other\.jsonl holds no instance\. Line 1 is no navigator instance: [^\n]*\.$/,
    ],
    ['text.jsonl', ['hello'], /^text\.jsonl holds no instance\. Line 1 is not valid JSON[^\n]*\.$/],
  ])('%s is refused', async (name, lines, error) => {
    const { file } = write(name, lines);
    const page = await server.ask('hopscope/listInstances', {
      source: { file },
      from: 0,
      count: 1,
      filter: {},
    });
    expect(page).toEqual({ ok: false, error: expect.stringMatching(error) });
  });

  test('that is on no disk is refused', async () => {
    const source = { file: 'vscode-vfs://github/a/b.jsonl' };
    const page = await server.ask('hopscope/listInstances', { source, from: 0, count: 1, filter: {} });
    expect(page).toEqual({
      ok: false,
      error: expect.stringMatching(/^Only files on a disk .*vscode-vfs.*\.$/),
    });
  });
});

describe('an id', () => {
  test.each([
    ['hs1-train-17', 'hopscope:/navigator/train/17/hs1-train-17.hopscope-instance'],
    [
      'hs1-train-5-h4',
      expect.stringMatching(/^hopscope:\/navigator\/train\/5\/hs1-train-5-h4\.hopscope-instance\?/),
    ],
  ])('%s is found', async (id, uri) => {
    expect(await server.ask('hopscope/findInstance', { id, files: [] })).toEqual({
      ok: true,
      value: { id, uri },
    });
  });

  test('of a file is found there', async () => {
    const { file } = write('found.jsonl', [smallInstance]);
    const found = await server.ask('hopscope/findInstance', { id: 'train-small', files: [file] });
    expect(found).toMatchObject({
      ok: true,
      value: { uri: expect.stringContaining('/found.jsonl/train-small') },
    });
  });

  test('that nobody has is refused', async () => {
    expect(await server.ask('hopscope/findInstance', { id: 'hs0-train-1', files: [] })).toEqual({
      ok: false,
      error: 'There is no instance hs0-train-1.',
    });
  });
});

describe('an examination', () => {
  let tokens = 0;
  const examine = (
    source: InstanceSource,
    audit: boolean,
    position: number | null = null,
    cancellation?: CancellationTokenSource,
  ) => {
    const token = `examine ${tokens++}`;
    const seen: { done: number; total: number }[] = [];
    server.connection.onNotification(
      '$/progress',
      (params: { token: string; value: { done: number; total: number } }) => {
        if (params.token === token) seen.push(params.value);
        if (cancellation) cancellation.cancel();
      },
    );
    const params = { source, position, audit, token };
    const answer = cancellation
      ? server.connection.sendRequest('hopscope/examine', params, cancellation.token)
      : server.connection.sendRequest('hopscope/examine', params);
    return { answer, seen };
  };

  test('tells that a split is sound and passes its audit, and how far it is', async () => {
    const { answer, seen } = examine({ environment: 'navigator', split: 'scale_test' }, true);
    expect(await answer).toEqual({
      ok: true,
      value: {
        passed: expect.any(Boolean),
        sentence: expect.stringMatching(
          /^scale_test: Audit of 150 instances \([\d,]+ chunks\): (?:passed|failed), [^\n]*\.$/,
        ),
        lines: expect.arrayContaining([expect.stringMatching(/pos_global +0\.\d{3} +(?:ok|violated)/)]),
      },
    });
    expect(seen.at(-1)).toEqual({ done: 150, total: 150 });
    expect(seen.length).toBeGreaterThan(5);
  });

  test('tells what is wrong in a file', async () => {
    const { file } = write('unsound.jsonl', [
      ...population('train', 3),
      { ...smallInstance, answer: '1' },
      'no JSON',
    ]);
    const { answer } = examine({ file }, false);
    expect(await answer).toEqual({
      ok: true,
      value: {
        passed: false,
        sentence:
          '1 of 4 instances of unsound.jsonl is not sound, and 1 problem kept others from being read.',
        lines: [
          expect.stringMatching(/^train-small is not sound: [a-z_]+/),
          expect.stringMatching(/^Line 5 is not valid JSON.*\.$/),
        ],
      },
    });
  });

  test('of one instance', async () => {
    const { answer } = examine(train, false, 17);
    expect(await answer).toMatchObject({
      ok: true,
      value: { passed: true, sentence: '1 instance of train 17 is sound.' },
    });
  });

  test('stops when it is cancelled, and the server answers meanwhile', async () => {
    const cancellation = new CancellationTokenSource();
    const { answer } = examine(train, true, null, cancellation);
    expect((await list(train, 0, 1)).rows).toHaveLength(1);
    await expect(answer).rejects.toMatchObject({ code: -32800 });
  });
});
