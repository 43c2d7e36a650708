import { expect, test } from 'vitest';
import { createSettings, DEFAULTS as defaults } from '../../server/src/language/settings.ts';

test('without an editor to ask there are the defaults', async () => {
  expect(await createSettings(undefined).of('file:///a')).toEqual(defaults);
});

test.each([
  [{ markdown: { checkTranscripts: false } }, { ...defaults, checkMarkdownTranscripts: false }],
  [{ spoilers: 'hide' }, { ...defaults, spoilers: false }],
  [{ spoilers: 'show' }, { ...defaults, spoilers: true }],
  [{ spoilers: true }, defaults],
  [{ eval: { instances: 50 } }, { ...defaults, evalInstances: 50 }],
  [{ eval: { instances: 0 } }, defaults],
  [{ eval: { instances: 'all' } }, defaults],
  [{ markdown: { checkTranscripts: 'no' } }, defaults],
  [{ markdown: null }, defaults],
  [null, defaults],
  ['text', defaults],
])('the editor says %j', async (section, expected) => {
  expect(await createSettings(() => Promise.resolve(section)).of('file:///a')).toEqual(expected);
});

test('an editor that fails to answer leaves the defaults', async () => {
  const settings = createSettings(() => Promise.reject(new Error('gone')));
  expect(await settings.of('file:///a')).toEqual(defaults);
});

test('the editor is asked once per document, and again after a change', async () => {
  const asked: string[] = [];
  const settings = createSettings((uri) => {
    asked.push(uri);
    return Promise.resolve({});
  });
  await settings.of('file:///a');
  await settings.of('file:///a');
  await settings.of('file:///b');
  settings.forget('file:///b');
  await settings.of('file:///b');
  settings.forgetAll();
  await settings.of('file:///a');
  expect(asked).toEqual(['file:///a', 'file:///b', 'file:///b', 'file:///a']);
});

test('models that the editor has learned of come after those of the settings', async () => {
  const settings = createSettings(() => Promise.resolve({ models: ['mine', 'a'] }));
  settings.learnModels(['a', 'b']);
  expect((await settings.of('file:///a')).models).toEqual(['mine', 'a', 'b']);
  settings.learnModels(['c']);
  expect((await settings.of('file:///a')).models).toEqual(['mine', 'a', 'c']);
  const alone = createSettings(undefined);
  alone.learnModels(['c']);
  expect(await alone.of('file:///a')).toEqual({ ...defaults, models: ['c'] });
});
