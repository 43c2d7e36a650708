/** Models that the editor itself offers as drivers of an episode; another extension brings them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { Episode, patience } from './episode.ts';
import { textOf } from './preview.ts';
import { Workbench } from './workbench.ts';

/** Tools are called, and a judge decides. */
const pitch = `---
format: 1
environment: serving
split: mini_pitch_test
options: { judge: model }
---
user:
{{task_text}}
`;

describe.skipIf(whyNoWorkbench())('models of the editor', () => {
  let workbench: Workbench;
  let episode: Episode;

  beforeAll(async () => {
    workbench = await Workbench.open(
      { 'workbench.colorTheme': 'Default Dark Modern', 'files.autoSave': 'off' },
      { extension: 'models', files: { 'pitch.step.md': pitch } },
    );
    episode = new Episode(workbench);
    await workbench.page.setViewportSize({ width: 1600, height: 900 });
  });
  afterAll(() => workbench?.close());

  const standing = (expected: RegExp | string) =>
    typeof expected === 'string'
      ? expect.poll(() => episode.standing(), patience).toBe(expected)
      : expect.poll(() => episode.standing(), patience).toMatch(expected);
  const failure = (expected: RegExp) => expect.poll(() => episode.failure(), patience).toMatch(expected);

  test('one takes a step', async () => {
    await workbench.openFile('terse.step.md');
    await workbench.editor
      .locator('.codelens-decoration a', { hasText: 'Step Episode' })
      .click({ timeout: 50_000 }); // what comes first waits for the server, too
    await episode.find();
    await episode.choose('Editor: Steady');
    await episode.button('Step').click();
    await standing(/^After step 1\b/);
    expect(await textOf(episode.reply())).toBe('THOUGHT: I begin at the beginning.\nACTION: READ 1');
    expect(await textOf(episode.frame.locator('.card.reply h2'))).toContain('by Steady');
    await workbench.screenshot('episode, model of the editor');
  });

  test('what it says is seen as it comes, and it can be cancelled', async () => {
    await episode.choose('Editor: Endless');
    await episode.button('Step').click();
    await standing('Waiting for the reply of step 2…');
    await expect
      .poll(() => textOf(episode.frame.locator('.card.reply pre')), patience)
      .toBe('THOUGHT: Let me think');
    await episode.button('Cancel').click();
    await failure(/^The step was cancelled\./);
    await standing(/^After step 1\b/);
  });

  test('one that does not listen is not waited for', async () => {
    await episode.choose('Editor: Deaf');
    await episode.button('Step').click();
    await standing('Waiting for the reply of step 2…');
    await episode.button('Cancel').click();
    await failure(/^The step was cancelled\./);
    await standing(/^After step 1\b/);
  });

  test('one that fails in the middle says why, and what to do', async () => {
    await episode.choose('Editor: Failing');
    await episode.button('Step').click();
    await failure(/^Failing gave no reply: .*The socket hung up\. Try again, or choose another driver\./);
    await standing(/^After step 1\b/);
    await workbench.screenshot('episode, model of the editor fails');
  });

  test('one without requests left says so', async () => {
    await episode.choose('Editor: Blocked');
    await episode.button('Step').click();
    await failure(/^Blocked .*No requests are left today\./);
    await standing(/^After step 1\b/);
  });

  test('one that is not allowed is not asked', async (context) => {
    await episode.choose('Editor: Guarded');
    await episode.button('Step').click();
    const refusal = /^You have not allowed Hopscope to use Guarded\./;
    let isGuarded: boolean | undefined;
    const look = async () => {
      if (refusal.test(await episode.failure())) isGuarded = true;
      // Newer editors leave it to the extension that brings the models.
      if (/^After step 2\b/.test(await episode.standing())) isGuarded = false;
      return isGuarded;
    };
    await expect.poll(look, patience).toBeDefined();
    if (isGuarded !== true) context.skip();
    await standing(/^After step 1\b/);
    await workbench.screenshot('episode, model of the editor not allowed');
  });

  test('one calls tools, and one judges', async () => {
    await workbench.openPath('pitch.step.md');
    await workbench.runCommand('Hopscope: Step Episode');
    const title = workbench.page.locator('.tab.active .label-name', { hasText: 'hs1-mini_pitch_test-0' });
    await title.waitFor();
    await expect
      .poll(async () => textOf((await episode.find()).locator('.facts .link').first()), patience)
      .toBe('hs1-mini_pitch_test-0');
    await episode.choose('Editor: Calling');
    await episode.button('Run to End').click();
    await standing('After step 1, waiting for a verdict.');
    expect(await textOf(episode.frame.locator('.card.you pre'))).toBe('Buy it. It is good.');
    await episode.choose('Editor: Steady');
    await episode.button('Step').click();
    await episode.frame.locator('h2', { hasText: 'Verdicts that cannot be read' }).waitFor();
  });

  test('one that has gone is seen to be gone', async () => {
    await workbench.runCommand('Test: Take the Models Away');
    await episode.find();
    const driver = episode.frame.locator('vscode-single-select[label="Driver"]');
    const options = () => driver.evaluate((select) => JSON.stringify(Reflect.get(select, 'options')));
    await expect.poll(options, patience).not.toContain('Steady');
    await episode.button('Step').click();
    await failure(/^The editor does not offer this model now\./);
    await episode.choose('oracle');
    await episode.button('Step').click();
    await failure(/^A judge has to decide here, and no policy does:/);
  });
});
