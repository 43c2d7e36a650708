/** Workspaces as people have them: of several folders, and not trusted. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generate } from '../../../server/src/engine/environments/navigator/generate.ts';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { Episode } from './episode.ts';
import { wordsOf } from './preview.ts';
import { Workbench } from './workbench.ts';

const patience = { timeout: 15_000 };
const notes = '# Notes\n\n```hopscope-episode\nACTION: FETCH 1\n```\n';
const transcript = `---
format: 1
environment: navigator
instance: mine-1
instances: mine.jsonl
---

=== step 1
ACTION: READ 9999
`;

describe.skipIf(whyNoWorkbench())('a workspace of two folders', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    const made = generate('train', 17);
    const instance = made.ok ? { ...made.value.instance, id: 'mine-1' } : {};
    const files: Readonly<Record<string, string>> = {
      'first/checked.md': notes,
      'second/checked.md': notes,
      'second/.vscode/settings.json': '{ "hopscope.markdown.checkTranscripts": false }',
      'first/mine.episode': transcript,
      'second/mine.episode': transcript,
      'first/mine.jsonl': `${JSON.stringify(instance)}\n`,
    };
    workbench = await Workbench.open({}, { roots: ['first', 'second'], files });
  });
  afterAll(() => workbench?.close());

  test('a setting holds in its folder only', async () => {
    await workbench.openPath('first/checked.md');
    await expect.poll(() => workbench.squiggled('error'), patience).toEqual(['FETCH']);
    await workbench.openPath('second/broken.episode');
    await expect.poll(() => workbench.squiggled('error'), patience).toEqual(['S1']);
    await workbench.openPath('second/checked.md');
    await workbench.line('ACTION: FETCH').waitFor();
    await workbench.screenshot('second folder');
    expect(await workbench.squiggled('error')).toEqual([]);
  });

  test('a transcript finds the file of its instance in its own folder', async () => {
    await workbench.openPath('first/mine.episode');
    await expect.poll(() => workbench.squiggled('error'), patience).toEqual(['9999']);
    await workbench.openPath('second/mine.episode');
    await expect.poll(() => workbench.squiggled('error'), patience).toEqual(['mine-1']);
    await workbench.screenshot('two folders');
  });
});

describe.skipIf(whyNoWorkbench())('a folder that is not trusted', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await Workbench.open({}, { isUntrusted: true });
  });
  afterAll(() => workbench?.close());

  test('has language features and instances', async () => {
    await workbench.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    await workbench.openFile('broken.episode');
    await expect.poll(() => workbench.squiggled('error'), patience).toEqual(['S1']);
    await workbench.screenshot('restricted mode');
    await workbench.openInstance('train', 17);
  });

  test('plays episodes with what asks no model, and says only that of models', async () => {
    const episode = new Episode(workbench);
    await workbench.runCommand('Hopscope: Open Episode…');
    await episode.find();
    await episode.choose('Model…');
    await episode.button('Manage trust').waitFor();
    const words = await wordsOf(episode.frame.locator('.controls'));
    expect(words).toContain('This folder is not trusted');
    expect(words).not.toContain('No endpoint');
    await workbench.screenshot('restricted episode');
    await workbench.closeEditors();
  });

  test('is told what the extension does not do there', async () => {
    await workbench.page.keyboard.press('Control+Shift+X');
    await workbench.page.locator('.extension-list-item', { hasText: 'Hopscope' }).first().click();
    const editor = workbench.page.locator('.extension-editor');
    await editor.locator('.name', { hasText: 'Hopscope' }).waitFor();
    await workbench.screenshot('restricted extension');
    await editor.filter({ hasText: 'Nothing is run, sent or written' }).waitFor();
  });
});
