/** Every request that an editor takes back is answered at once, and with nothing else than that it was cancelled. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-jsonrpc';
import type { RequestMethod, RequestParams } from '../../server/src/protocol.ts';
import { ServerProcess } from '../support/server-process.ts';
import { head, shortest, steps } from '../support/transcripts.ts';

const transcript = 'file:///cancelled/play.episode';
const prompt = 'file:///cancelled/terse.step.md';

const textDocument = { uri: transcript };
const position = { line: 7, character: 14 };
const range = { start: { line: 0, character: 0 }, end: position };
const selector = { environment: 'navigator', split: 'train', index: 3 };
const source = { environment: 'navigator', split: 'train' };

/** Of the protocol. */
const requests: Readonly<Record<string, object>> = {
  'textDocument/diagnostic': { textDocument },
  'textDocument/codeAction': { textDocument, range, context: { diagnostics: [] } },
  'textDocument/codeLens': { textDocument },
  'textDocument/completion': { textDocument, position },
  'textDocument/definition': { textDocument, position },
  'textDocument/documentHighlight': { textDocument, position },
  'textDocument/documentLink': { textDocument },
  'textDocument/documentSymbol': { textDocument },
  'textDocument/foldingRange': { textDocument },
  'textDocument/formatting': { textDocument, options: { tabSize: 2, insertSpaces: true } },
  'textDocument/rangeFormatting': { textDocument, range, options: { tabSize: 2, insertSpaces: true } },
  'textDocument/hover': { textDocument, position },
  'textDocument/inlayHint': { textDocument, range },
  'textDocument/references': { textDocument, position, context: { includeDeclaration: true } },
  'textDocument/semanticTokens/full': { textDocument },
  'textDocument/semanticTokens/range': { textDocument, range },
  'workspace/symbol': { query: 'a' },
};

const choice = { session: 'none', spoilers: true };
const run = 'file:///nowhere';
const query = { sort: 'task', descending: false, outcomes: [], causes: [], groups: {}, text: '' };

/** Our own, every one of them. */
const own: { readonly [M in RequestMethod]: RequestParams<M> } = {
  'hopscope/environments': null,
  'hopscope/data': null,
  'hopscope/dataFolder': { folder: '' },
  'hopscope/fetchData': { set: 'none', token: 'cancelled' },
  'hopscope/locateInstance': selector,
  'hopscope/readInstance': { uri: 'hopscope:/navigator/train/3/hs1-train-3.hopscope-instance' },
  'hopscope/newTranscript': selector,
  'hopscope/listInstances': { source, from: 0, count: 50, filter: {} },
  'hopscope/instanceGroups': { source },
  'hopscope/findInstance': { id: 'hs1-train-3', files: [] },
  'hopscope/examine': { source, position: null, audit: true, token: 'cancelled' },
  'hopscope/heldChunks': { uri: transcript, position },
  'hopscope/comparedTexts': { uri: transcript, position },
  'hopscope/instanceMarks': { uri: transcript },
  'hopscope/previewPrompt': { uri: prompt, place: {}, saved: null },
  'hopscope/previewPieces': { uri: prompt, message: 0, next: 0 },
  'hopscope/promptTokens': { uri: prompt },
  'hopscope/previewedInstance': { uri: prompt },
  'hopscope/promptRequest': { uri: prompt },
  'hopscope/episode/open': {
    ...choice,
    source: { kind: 'transcript', uri: transcript, text: '', prompt: null },
  },
  'hopscope/episode/close': { session: 'none' },
  'hopscope/episode/look': choice,
  'hopscope/episode/step': { ...choice, driver: { kind: 'policy', id: 'oracle' }, token: 'cancelled' },
  'hopscope/episode/go': { ...choice, node: 0 },
  'hopscope/episode/fork': choice,
  'hopscope/episode/usePrompt': { ...choice, prompt: null },
  'hopscope/episode/prompt': { session: 'none', node: 0, which: 'next' },
  'hopscope/episode/promptTokens': { session: 'none', node: 0, which: 'next' },
  'hopscope/episode/question': { session: 'none' },
  'hopscope/episode/text': { session: 'none', node: 0, what: { kind: 'reply' }, from: 0 },
  'hopscope/episode/advice': { session: 'none' },
  'hopscope/episode/help': { ...choice, text: '', offset: 0 },
  'hopscope/episode/compare': { ...choice, left: 0, right: 0 },
  'hopscope/episode/follow': { ...choice, text: '', step: null },
  'hopscope/episode/print': { ...choice, what: 'session', target: null },
  'hopscope/episode/saveRun': { session: 'none', parent: 'file:///nowhere' },
  'hopscope/episode/places': { session: 'none' },
  'hopscope/listRuns': { folders: [run], prices: null },
  'hopscope/runSummary': { uri: run, prices: null },
  'hopscope/runPrompt': { uri: run },
  'hopscope/runNote': { uri: run, task: null },
  'hopscope/annotateRun': { uri: run, task: null, note: { text: '', tags: [] } },
  'hopscope/runChoices': { text: '' },
  'hopscope/results/open': { run },
  'hopscope/results/rows': { run, query, from: 0, count: 50 },
  'hopscope/results/figures': { run },
  'hopscope/results/steps': { run, task: 0, from: 0 },
  'hopscope/results/text': { run, task: 0, at: 0, part: { kind: 'text' }, from: 0 },
  'hopscope/results/transcript': { run, task: 0, step: null },
  'hopscope/results/verdicts': { run, from: 0 },
  'hopscope/results/context': { run },
  'hopscope/results/refresh': { run },
  'hopscope/results/close': { run },
  'hopscope/results/compare': { a: run, b: run },
  'hopscope/results/flips': { a: run, b: run, kind: 'fixed', from: 0 },
  'hopscope/results/stream': { run: 'file:///nowhere.stream', prices: null },
  'hopscope/results/memory': { run: 'file:///nowhere.stream', at: 0 },
  'hopscope/listStreams': { folders: [], prices: null },
  'hopscope/results/parting': { a: run, b: run, kind: 'fixed', at: 0 },
};

let server: ServerProcess;

beforeAll(async () => {
  server = await ServerProcess.start();
  await server.open(transcript, 'hopscope-episode', head() + steps(...shortest));
  await server.open(
    prompt,
    'hopscope-prompt',
    '---\nformat: 1\nenvironment: navigator\n---\nuser:\n{{question}}\n',
  );
});

afterAll(async () => {
  expect(await server.stop()).toEqual({ code: 0, errors: '' });
});

test('every feature that the server offers is among them', async () => {
  const other = await ServerProcess.spawn();
  const { capabilities } = await other.initialize();
  const features = Object.keys(capabilities)
    .filter((name) => name.endsWith('Provider'))
    .map((name) => name.replace(/^document(?=Formatting|RangeFormatting)|Provider$/g, '').toLowerCase());
  const methods = Object.keys(requests).map((method) => method.replace(/^\w+\//, '').toLowerCase());
  const known = methods.map((method) =>
    method === 'symbol' ? 'workspacesymbol' : method.replace('/full', ''),
  );
  expect(features.filter((feature) => !known.includes(feature))).toEqual([]);
  await other.stop();
});

test.each(Object.entries({ ...requests, ...own }))('%s', async (method, params) => {
  // The server is kept busy, so that the word of the cancelling surely arrives before the request's turn has come. Should
  // it not, the request is answered, and another try is made.
  for (;;) {
    const busy = server.connection.sendRequest('hopscope/readInstance', {
      uri: 'hopscope:/navigator/train/9/hs1-train-9-t128000.hopscope-instance?{"doc_tokens":[128000]}',
    });
    const cancellation = new CancellationTokenSource();
    const request = server.connection.sendRequest<unknown>(method, params, cancellation.token);
    cancellation.cancel();
    const answer = await request.then(
      () => 'answered',
      (error: unknown) => error,
    );
    await busy;
    if (answer === 'answered') continue;
    expect(answer).toMatchObject({ code: -32800, message: 'The request was cancelled.' });
    return;
  }
});

test('the server goes on', async () => {
  expect(await server.diagnostics(transcript)).toMatchObject({ kind: 'full', items: [] });
});
