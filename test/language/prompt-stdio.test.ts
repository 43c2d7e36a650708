/** Step prompts through a real server process, over its standard streams. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  DocumentSymbol,
  FoldingRange,
  Hover,
  InlayHint,
  Location,
  Position,
  TextEdit,
} from 'vscode-languageserver-types';
import { ServerProcess } from '../support/server-process.ts';

const uri = 'test:/prompt.step.md';
const text = `---
format:  1
environment: navigator
---
system:
You have {{step_budget}} steps.
user:
{{question}}
{{map_text}}
{{#held}}
{{text}}
{{/held}}
{{held_txt}}
`;
const textDocument = { uri };

let server: ServerProcess;
let hintRefreshes = 0;
/** Called when the server has hints asked for again. */
let onHintRefresh = () => {};

beforeAll(async () => {
  server = await ServerProcess.spawn();
  server.connection.onRequest('workspace/inlayHint/refresh', () => {
    hintRefreshes++;
    onHintRefresh();
    return null;
  });
  await server.initialize({
    workspace: {
      configuration: true,
      diagnostics: { refreshSupport: true },
      inlayHint: { refreshSupport: true },
    },
  });
  server.settings = { models: ['some-model'] };
  await server.open(uri, 'hopscope-prompt', text);
});

afterAll(async () => {
  expect(await server.stop()).toEqual({ code: 0, errors: '' });
});

function ask<R>(method: string, params: object = {}): Promise<R> {
  return server.connection.sendRequest<R>(`textDocument/${method}`, { textDocument, ...params });
}

/** Right before `part`, or so many characters behind its start. */
function at(part: string, offset = 0): Position {
  const before = text.slice(0, text.indexOf(part) + offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

const whole = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };

describe('the language features', () => {
  test('diagnostics and their fixes', async () => {
    const report = await server.diagnostics(uri);
    const items = report.kind === 'full' ? report.items : [];
    expect(items.map(({ code }) => code)).toEqual(['template.unknown-name']);
    const actions = await ask<CodeAction[]>('codeAction', {
      range: items[0]?.range,
      context: { diagnostics: items },
    });
    expect(actions.map(({ title, edit }) => [title, edit?.changes?.[uri]?.[0]?.newText])).toEqual([
      ['Change to "held_text"', 'held_text'],
    ]);
  });

  test('completion', async () => {
    const labels = async (position: Position) =>
      (await ask<CompletionItem[]>('completion', { position })).map(({ label }) => label);
    expect((await labels(at('{{text}}', 2))).slice(0, 3)).toEqual(['id', 'tokens', 'text']);
    await server.open('test:/new.step.md', 'hopscope-prompt', '---\nmodel: \n---\n');
    const models = await server.connection.sendRequest<CompletionItem[]>('textDocument/completion', {
      textDocument: { uri: 'test:/new.step.md' },
      position: { line: 1, character: 7 },
    });
    expect(models.map(({ label }) => label)).toEqual(['some-model']);
  });

  test('hover and definition', async () => {
    const hover = await ask<Hover>('hover', { position: at('step_budget', 3) });
    expect(hover.contents).toMatchObject({ value: expect.stringContaining('step 1 of') });
    const [location] = await ask<Location[]>('definition', { position: at('map_text', 3) });
    expect(location?.uri).toBe('hopscope:/docs/navigator.md');
    const page = await server.ask('hopscope/readInstance', { uri: location?.uri ?? '' });
    if (!page.ok) throw new Error(page.error);
    expect(page.value.split('\n')[location?.range.start.line ?? 0]).toBe('### map_text');
  });

  test('outline, folding and lenses', async () => {
    const symbols = await ask<DocumentSymbol[]>('documentSymbol');
    expect(symbols.map(({ name }) => name)).toEqual(['front matter', 'system', 'user']);
    const ranges = await ask<FoldingRange[]>('foldingRange');
    expect(ranges.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [0, 3],
      [4, 5],
      [6, 12],
      [9, 10],
    ]);
    const lenses = await ask<CodeLens[]>('codeLens');
    expect(lenses.map(({ command }) => command?.command)).toEqual([
      'hopscope.previewPrompt',
      'hopscope.stepEpisode',
      'hopscope.runEval',
    ]);
  });

  test('formatting', async () => {
    const options = { tabSize: 4, insertSpaces: true };
    const edits = await ask<TextEdit[]>('formatting', { options });
    expect(edits.map(({ newText }) => newText)).toEqual(['format: 1\nenvironment: navigator\n']);
    expect(
      await ask('rangeFormatting', { options, range: { start: at('system:'), end: at('user:') } }),
    ).toEqual([]);
  });
});

describe('sizes', () => {
  test('come in a model’s tokens, and hints are asked for again', async () => {
    const refreshed = new Promise<void>((resolve) => {
      onHintRefresh = resolve;
    });
    const labels = async () =>
      (await ask<InlayHint[]>('inlayHint', { range: whole })).map(({ label }) => label);
    const first = await labels();
    expect(first[0]).toMatch(/^5 tokens · o200k /);
    if (first[0] === '5 tokens · o200k …') await refreshed;
    expect((await labels())[0]).toBe('5 tokens · o200k 6');
    const tokens = await server.ask('hopscope/promptTokens', { uri });
    expect(tokens).toMatchObject({
      ok: true,
      value: {
        tokenizer: 'o200k',
        blocks: [{ step: { environment: 5, model: 6 } }, {}],
      },
    });
  });
});

describe('the preview', () => {
  test('moves, and with it what depends on the instance', async () => {
    const before = await server.diagnostics(uri);
    const refreshes = { diagnostics: server.refreshes, hints: hintRefreshes };
    const place = { split: 'id_test', index: 4, policy: 'random-reader', step: 2 };
    const { rendering, isBroken } = await server.ask('hopscope/previewPrompt', { uri, place, saved: text });
    expect(isBroken).toBe(true);
    expect(rendering).toMatchObject({ place, changed: false, instance: { id: 'hs1-id_test-4' } });
    expect(rendering?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect((await server.diagnostics(uri, before.resultId)).kind).toBe('full');
    expect({ diagnostics: server.refreshes, hints: hintRefreshes }).toEqual({
      diagnostics: refreshes.diagnostics + 1,
      hints: refreshes.hints + 1,
    });
    // The same place again changes nothing.
    await server.ask('hopscope/previewPrompt', { uri, place, saved: null });
    expect(server.refreshes).toBe(refreshes.diagnostics + 1);

    const hover = await ask<Hover>('hover', { position: at('question', 3) });
    expect(hover.contents).toMatchObject({
      value: expect.stringContaining('hs1\\-id\\_test\\-4, step 2 of'),
    });
    expect(await server.ask('hopscope/previewedInstance', { uri })).toEqual({
      ok: true,
      value: rendering?.instance,
    });
    const read = await server.ask('hopscope/readInstance', { uri: rendering?.instance.uri ?? '' });
    expect(read).toMatchObject({ ok: true });
    const request = await server.ask('hopscope/promptRequest', { uri });
    if (!request.ok) throw new Error(request.error);
    expect(JSON.parse(request.value.json)).toEqual({
      messages: rendering?.messages.map(({ role, pieces }) => ({
        role,
        content: pieces.map(({ text: piece }) => piece).join(''),
      })),
    });
    expect(await server.ask('hopscope/previewPieces', { uri, message: 0, next: 4 })).toMatchObject({
      ok: true,
      value: { pieces: [{ kind: 'same', text: expect.stringMatching(/^have \d+ steps\.$/) }], next: null },
    });
  });

  test.each(['hopscope/promptTokens', 'hopscope/previewedInstance', 'hopscope/promptRequest'] as const)(
    '%s of what is not open is refused',
    async (method) => {
      expect(await server.ask(method, { uri: 'test:/closed' })).toEqual({
        ok: false,
        error: 'test:/closed is not open.',
      });
      const closed = await server.ask('hopscope/previewPrompt', {
        uri: 'test:/closed',
        place: {},
        saved: null,
      });
      expect(closed).toMatchObject({ rendering: null, reason: 'test:/closed is not open.' });
    },
  );
});
