/** What a broken client sends gets a clear answer, and leaves the server and its documents as they were. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerProcess } from '../support/server-process.ts';

let server: ServerProcess;
const prompt = 'file:///bad/terse.step.md';
const text = '---\nformat: 1\nenvironment: navigator\n---\nuser:\n{{question}} {{map_text}} {{held_text}}\n';

beforeAll(async () => {
  server = await ServerProcess.start();
  await server.open(prompt, 'hopscope-prompt', text);
});

afterAll(async () => {
  expect(await server.stop()).toEqual({ code: 0, errors: '' });
});

const source = { environment: 'navigator', split: 'train' };

test.each<[method: string, params: unknown, message: string]>([
  ['readInstance', undefined, 'needs "uri", which is missing.'],
  ['readInstance', {}, 'needs "uri", which is missing.'],
  ['readInstance', { uri: 5 }, 'takes a text for "uri", not 5.'],
  ['readInstance', ['a', 'b'], 'needs "uri", which is missing.'],
  ['readInstance', { uri: null }, 'takes a text for "uri", not null.'],
  ['locateInstance', { ...source, index: 'x\u001b[2J' }, 'takes a number for "index", not "x\\u001b[2J".'],
  ['newTranscript', {}, 'takes an address, or environment, split and index, not Object.'],
  [
    'listInstances',
    { source: 'x', from: 0, count: 1, filter: {} },
    'takes environment and split, or a file for "source", not "x".',
  ],
  [
    'listInstances',
    { source, from: 0, count: 1e9, filter: {} },
    'takes at most 10000 for "count", not 1000000000.',
  ],
  ['listInstances', { source, from: 0, count: 1 }, 'needs "filter", which is missing.'],
  [
    'examine',
    { source, position: null, audit: 'yes', token: 'x' },
    'takes true or false for "audit", not "yes".',
  ],
  ['heldChunks', { uri: prompt }, 'needs "position", which is missing.'],
  [
    'previewPrompt',
    { uri: prompt, saved: null, place: { step: '0' } },
    'takes a number for "place.step", not "0".',
  ],
  [
    'previewPrompt',
    { uri: prompt, saved: null, place: { index: [] } },
    'takes a number for "place.index", not Array.',
  ],
  ['previewPrompt', { uri: prompt, saved: null, place: null }, 'takes named values for "place", not null.'],
  ['promptTokens', { uri: {} }, 'takes a text for "uri", not Object.'],
  [
    'findInstance',
    { id: 'x', files: 'y'.repeat(1000) },
    `takes a list for "files", not "${'y'.repeat(59)}….`,
  ],
  ['runNote', { uri: prompt }, 'needs "task", which is missing.'],
  ['episode/look', { spoilers: true }, 'needs "session", which is missing.'],
  ['results/open', 7, 'takes named values, not 7.'],
])('hopscope/%s with %j', async (method, params, message) => {
  const sent =
    params === undefined
      ? server.connection.sendRequest(`hopscope/${method}`)
      : server.connection.sendRequest(`hopscope/${method}`, params);
  await expect(sent).rejects.toMatchObject({ code: -32602, message: `hopscope/${method} ${message}` });
});

const held = { start: { line: 5, character: 0 }, end: { line: 5, character: 3 } };

test.each<[what: string, contentChanges: unknown]>([
  ['without a text', [{ range: held }]],
  ['with a text that is none', [{ range: held, text: 7 }]],
  ['with half a range', [{ range: { start: held.start }, text: 'x' }]],
  ['with words for numbers', [{ range: { start: { line: 'x', character: 0 }, end: held.end }, text: 'x' }]],
  ['without a list', 'all of it'],
  ['without anything', undefined],
])('a change %s leaves the document as it was', async (_, contentChanges) => {
  const other = await ServerProcess.start();
  await other.open(prompt, 'hopscope-prompt', text);
  await other.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri: prompt, version: 2 },
    contentChanges,
  });
  expect(await other.diagnostics(prompt)).toMatchObject({ kind: 'full', items: [] });
  await other.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri: prompt, version: 3 },
    contentChanges: [{ range: held, text: '' }],
  });
  expect(await other.diagnostics(prompt)).toMatchObject({ items: [{}] });
  expect(await other.stop()).toEqual({ code: 0, errors: '' });
});

test.each(['Content-Length: abc', 'Content-Lengths: 5', 'nonsense'])(
  'the header %s ends the server with a word about it',
  async (header) => {
    const other = await ServerProcess.start();
    const { code, errors } = await other.end(`${header}\r\n\r\n{}`);
    expect(code).toBe(1);
    expect(errors).toMatch(/^The language server ends, as it cannot make out messages any more: .+\n$/);
  },
);

test('a body that is no JSON is left out', async () => {
  const other = await ServerProcess.start();
  other.write('Content-Length: 5\r\n\r\n{"a":');
  await other.open(prompt, 'hopscope-prompt', text);
  expect(await other.diagnostics(prompt)).toMatchObject({ kind: 'full', items: [] });
  expect(await other.stop()).toEqual({ code: 0, errors: '' });
});

test('models that the editor tells of are offered, and anything else is not', async () => {
  const front = 'file:///bad/front.step.md';
  await server.open(front, 'hopscope-prompt', '---\nmodel: \n---\n');
  const offered = async (models: unknown) => {
    await server.connection.sendNotification('hopscope/knownModels', { models });
    const items = await server.connection.sendRequest<{ label: string }[]>('textDocument/completion', {
      textDocument: { uri: front },
      position: { line: 1, character: 7 },
    });
    return items.map(({ label }) => label);
  };
  expect(await offered(['some-model', 'another:8b'])).toEqual(['some-model', 'another:8b']);
  expect(await offered([7])).toEqual([]);
  expect(await offered(undefined)).toEqual([]);
});

test('a request about no document', async () => {
  await expect(server.connection.sendRequest('textDocument/hover', {})).rejects.toMatchObject({
    code: -32602,
    message: 'A request about a document needs "textDocument", which is missing.',
  });
});
