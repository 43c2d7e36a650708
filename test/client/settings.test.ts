/** Settings are what people wrote: a wrong one counts as none, and is named once. */
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';

const editor = vi.hoisted(() => ({
  settings: new Map<string, unknown>(),
  warnings: [] as string[],
}));

vi.mock('vscode', () => ({
  EventEmitter: class {},
  Uri: { joinPath: () => undefined },
  workspace: {
    workspaceFolders: [{ uri: { scheme: 'file', fsPath: '/w' } }],
    getConfiguration: () => ({ get: (name: string) => editor.settings.get(name) }),
  },
  window: { showWarningMessage: (text: string) => editor.warnings.push(text) },
}));

import { dataFolder } from '../../client/src/data/folder.ts';
import { areSpoilersShown } from '../../client/src/instances/spoilers.ts';
import { readEndpoint } from '../../client/src/models/endpoint.ts';
import { placeFor, proposedInstances } from '../../client/src/runs/places.ts';

beforeEach(() => {
  editor.settings.clear();
  editor.warnings.length = 0;
});

const readAll = () => ({
  endpoint: readEndpoint(),
  folder: dataFolder(),
  spoilers: areSpoilersShown(),
  place: placeFor(),
  instances: proposedInstances(),
});

test.each(['endpoint.baseUrl', 'dataFolder', 'spoilers', 'runs.folder', 'eval.pricesFile'])(
  '%s of any kind counts as not set, and is named once',
  (name) => {
    const unset = readAll();
    expect(editor.warnings).toEqual([]);
    for (const value of [42, true, [], { of: 'what' }]) {
      editor.warnings.length = 0;
      editor.settings.set(name, value);
      expect(readAll()).toEqual(unset);
      readAll();
      expect(editor.warnings).toHaveLength(1);
      expect(editor.warnings[0]).toContain(`hopscope.${name} must be `);
      expect(editor.warnings[0]).toContain(JSON.stringify(value));
    }
  },
);

test.each(['eval.instances', 'eval.concurrency'])('%s is a whole number or counts as not set', (name) => {
  const unset = readAll();
  for (const value of ['many', 0, -1, 1.5, 1e9]) {
    editor.warnings.length = 0;
    editor.settings.set(name, value);
    expect(readAll()).toEqual(unset);
    expect(editor.warnings).toHaveLength(1);
  }
  editor.settings.set(name, 3);
  expect(readAll()).not.toEqual(unset);
});

test('the model of an endpoint is text as well', () => {
  editor.settings.set('endpoint.baseUrl', ' http://127.0.0.1:8000/v1 ');
  editor.settings.set('endpoint.model', 7);
  expect(readEndpoint()).toEqual({ baseUrl: 'http://127.0.0.1:8000/v1', model: '' });
  expect(editor.warnings[0]).toContain('hopscope.endpoint.model must be text, and is 7');
});

test('settings are read in one place', () => {
  const sources = path.join(import.meta.dirname, '../../client/src');
  const readers = fs
    .readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== 'settings.ts')
    .filter((name) =>
      /getConfiguration\([^)]*\)\s*\.get\b|\b(?:settings|configuration)\.get\b/.test(
        fs.readFileSync(path.join(sources, name), 'utf8'),
      ),
    );
  expect(readers).toEqual([]);
});
