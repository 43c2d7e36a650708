/** What a person does with an episode: steps through it, looks inside, goes back, acts differently, saves it. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { type Answer, type ModelServer, startModelServer } from '../../support/model-server.ts';
import { Episode, patience } from './episode.ts';
import { textOf } from './preview.ts';
import { Workbench } from './workbench.ts';

describe.skipIf(whyNoWorkbench())('an episode', () => {
  let workbench: Workbench;
  let episode: Episode;
  let server: ModelServer;
  /** What the endpoint does next. */
  let respond: () => Answer = () => ({ said: { text: 'ACTION: READ 0' } });

  beforeAll(async () => {
    server = await startModelServer(() => respond());
    workbench = await Workbench.open({
      'workbench.colorTheme': 'Default Dark Modern',
      'files.autoSave': 'off',
      'files.simpleDialog.enable': true,
      'hopscope.endpoint.baseUrl': server.baseUrl,
      'hopscope.endpoint.model': 'test-model',
    });
    episode = new Episode(workbench);
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.page.setViewportSize({ width: 1600, height: 1000 });
  });
  afterAll(async () => {
    await workbench?.close();
    await server?.close();
  });

  const activeTab = () =>
    textOf(workbench.page.locator('.editor-group-container.active .tab.active .label-name'));

  test('opens from the lens of a step prompt', async () => {
    await workbench.openFile('terse.step.md');
    await workbench.page.keyboard.press('Control+B');
    await workbench.editor
      .locator('.codelens-decoration a', { hasText: 'Step Episode' })
      .click({ timeout: 50_000 }); // what comes first waits for the server, too
    await episode.find();
    expect(await activeTab()).toBe('hs1-train-0 · terse');
    expect(await episode.standing()).toMatch(/^After step 0, \d+ steps left\.$/);
    expect(await textOf(episode.frame.locator('.task'))).toMatch(/^What is .*\?$/);
    await workbench.screenshot('episode, opened');
  });

  test('steps with the oracle to its reward', async () => {
    await episode.choose('oracle');
    await episode.button('Step').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 1\b/);
    expect((await episode.steps())[1]).toMatch(/^1 READ \d+ \d+ held$/);
    expect(await textOf(episode.reply())).toMatch(/^THOUGHT: .*\nACTION: READ \d+$/s);
    await workbench.screenshot('episode, one step');
    await episode.button('Run to End').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^Over:/);
    const [, steps = '', reward = ''] =
      /^Over: answered after (\d+) steps, reward ([\d.]+), correct$/.exec(await episode.standing()) ?? [];
    const score = await textOf(episode.frame.locator('.card.score p').first());
    const least = Number(/At least (\d+) steps/.exec(score.replace(/\s+/g, ' '))?.[1]);
    expect(Number(reward)).toBeCloseTo(Math.max(0.5, 1 - (0.05 * Number(steps)) / least), 9);
    await workbench.screenshot('episode, over');
  });

  test('goes back and forward, and restarts', async () => {
    const all = await episode.steps();
    await episode.button('Back').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 5\b/);
    await episode.button('Forward').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^Over/);
    await episode.button('Restart').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 0\b/);
    expect(await episode.steps()).toEqual(all);
  });

  test('keys that come faster than the page is drawn all count', async () => {
    const list = episode.frame.locator('#steps');
    await episode.pressAtOnce(list, 'ArrowDown', 5);
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 5\b/);
    await episode.pressAtOnce(list, 'ArrowUp', 3);
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 2\b/);
    await episode.button('Back').evaluate((back) => {
      for (let press = 0; press < 2; press++) back.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    });
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 0\b/);
  });

  test('acting differently opens a branch, and two branches can be compared', async () => {
    await episode.goTo(2);
    await episode.act('ACTION: ANSWER nobody');
    await expect
      .poll(() => episode.standing(), patience)
      .toMatch(/^Over: answered after 3 steps, reward .*not correct$/);
    const ends = episode.frame.locator('.ends li');
    expect(await ends.count()).toBe(2);
    await episode.frame.getByRole('button', { name: /^Compare with/ }).click();
    const rows = episode.frame.locator('.compared tbody tr');
    await expect.poll(() => rows.count(), patience).toBeGreaterThan(3);
    expect(await textOf(rows.first())).toMatch(/ANSWER nobody.*(READ|COMPRESS|DROP)/s);
    await workbench.screenshot('episode, two branches');
    await episode.button('Close').click();
  });

  test('typing completes, checks and plays a reply', async () => {
    await episode.goTo(1);
    const field = episode.frame.getByRole('textbox', { name: 'Reply' });
    await field.pressSequentially('ACTION: RE');
    const proposals = episode.frame.locator('#proposals [role=option]');
    await expect.poll(() => textOf(proposals.first()), patience).toMatch(/^READ\s+chunk$/);
    await field.press('ArrowDown');
    await expect.poll(() => proposals.first().getAttribute('aria-selected'), patience).toBe('true');
    await field.press('Enter');
    await expect.poll(() => field.inputValue(), patience).toBe('ACTION: READ ');
    await expect.poll(() => proposals.count(), patience).toBeGreaterThan(10);
    await field.fill('ACTION: REED 3');
    await expect
      .poll(() => textOf(episode.frame.locator('.card.you .problem').first()), patience)
      .toContain('Error:');
    await workbench.screenshot('episode, typing');
    await field.fill('');
  });

  test('points at a chunk, reads it, and drops it again', async () => {
    await episode.button('Restart').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 0\b/);
    await episode.frame.locator('.strip [role=option]').nth(3).click();
    const line = episode.frame.locator('.chunk-line');
    await expect.poll(() => textOf(line), patience).toMatch(/0 \+ (\d+) = \1 of 600 tokens/);
    await line.getByRole('button').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 1\b/);
    expect(await episode.frame.locator('.items li').count()).toBe(1);
    await episode.frame.locator('.items vscode-checkbox').click();
    await episode.button('Drop').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 2\b/);
    expect(await episode.frame.locator('.items li').count()).toBe(0);
  });

  test('plays what was written and sent off before the page could be drawn again', async () => {
    await episode.frame.getByRole('textbox', { name: 'Reply' }).evaluate((field) => {
      Object.assign(field, { value: 'ACTION: DROP 998' });
      field.dispatchEvent(new Event('input', { bubbles: true }));
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }));
    });
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 3\b/);
    await episode.goTo(2);
  });

  test('takes a reply of any length as it is', async () => {
    const field = episode.frame.getByRole('textbox', { name: 'Reply' });
    await field.fill(`THOUGHT: ${'on and on '.repeat(10_000)}\nACTION: DROP 997`);
    await field.press('Control+Enter');
    await expect.poll(async () => (await episode.steps()).at(-1), patience).toMatch(/^3 DROP 997/);
    await episode.goTo(2);
  });

  test('tells the best next action when asked', async () => {
    await episode.button('What would be best?').click();
    await expect
      .poll(() => textOf(episode.frame.locator('.advice')), patience)
      .toMatch(/Best: ACTION: READ \d+,\s+\d+ steps needed at least/);
  });

  test('shows the prompt exactly as it is sent, with its sizes', async () => {
    await episode.unfold('prompt');
    const messages = episode.frame.locator('.card.prompt .message');
    await expect.poll(() => messages.count(), patience).toBe(2);
    await expect
      .poll(() => textOf(messages.nth(1).locator('h3')), patience)
      .toMatch(/^user\s+[\d,]+ tokens · o200k [\d,]+/);
    await workbench.screenshot('episode, prompt');
  });

  test('a model streams its reply', async () => {
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let pieces = 0;
    respond = () => ({
      said: { text: 'THOUGHT: I begin at the beginning.\nACTION: READ 1', reasoning: 'Where to begin?' },
      gate: () => (++pieces > 4 ? gate : Promise.resolve()),
    });
    await episode.choose('Model: test-model');
    await episode.button('Step').click();
    await expect.poll(() => episode.standing(), patience).toBe('Waiting for the reply of step 3…');
    await expect
      .poll(() => textOf(episode.frame.locator('.card.reply')), patience)
      .toMatch(/reasoning so far|THOUGHT/);
    await workbench.screenshot('episode, streaming');
    open();
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 3\b/);
    expect(await textOf(episode.reply())).toBe('THOUGHT: I begin at the beginning.\nACTION: READ 1');
    await episode.button('Reasoning').click();
    await expect
      .poll(() => textOf(episode.frame.locator('.reasoning pre')), patience)
      .toBe('Where to begin?');
    // What is shown as sent is what was sent.
    const body: unknown = server.requests.at(-1)?.body?.['messages'];
    expect(body).toMatchObject([
      { content: await textOf(episode.frame.locator('.card.prompt .message pre').first()) },
      {},
    ]);
  });

  test('a wait can be cancelled', async () => {
    respond = () => ({ said: { text: 'too late' }, delivery: 'stall-body' });
    // All by the keyboard: the focus goes with the button, and back.
    await episode.button('Step').focus();
    await workbench.page.keyboard.press('Enter');
    await expect.poll(() => episode.focused(), patience).toBe('Cancel');
    await workbench.page.keyboard.press('Enter');
    await expect.poll(() => episode.failure(), patience).toMatch(/^The step was cancelled\./);
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 3\b/);
    await expect.poll(() => episode.focused(), patience).toBe('Step');
    await episode.button('Dismiss').focus();
    await workbench.page.keyboard.press('Enter');
    await expect.poll(() => episode.failure(), patience).toBe('');
    await expect.poll(() => episode.focused(), patience).toBe('Step');
  });

  test('takes the edited prompt and goes on from here', async () => {
    let asked = '';
    respond = () => ({ said: { text: 'ACTION: ANSWER maybe' } });
    await episode.goTo(1);
    await workbench.page.locator('.tab .label-name', { hasText: /^terse\.step\.md$/ }).click();
    await workbench.line('QUESTION').click();
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.type(' Think first.');
    await episode.find();
    await episode.button('Re-run from Here').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^Over: answered after 2 steps/);
    asked = JSON.stringify(server.requests.at(-1)?.body);
    expect(asked).toContain('Think first.');
    const prompt = episode.frame.locator('.card.prompt .message pre').nth(1);
    await expect.poll(() => textOf(prompt), patience).toContain('Think first.');
    await workbench.screenshot('episode, re-run');
  });

  test('the prompt as sent is there also when the endpoint refuses it', async () => {
    respond = () => ({ status: 404, body: { error: { message: 'no such model' } } });
    await episode.goTo(1);
    await episode.button('Re-run from Here').click();
    await expect.poll(() => episode.failure(), patience).toContain('base URL');
    const prompt = episode.frame.locator('.card.prompt .message pre').nth(1);
    await expect.poll(() => textOf(prompt), patience).toContain('QUESTION:');
  });

  /** Begins the first step of a new branch, which the endpoint hears of and never answers. */
  async function beginStalledStep(): Promise<void> {
    let arrived: () => void = () => {};
    const asking = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    respond = () => {
      arrived();
      return { said: { text: 'never' }, delivery: 'stall-headers' };
    };
    await episode.button('Fork from Here').click();
    await expect.poll(() => episode.standing(), patience).toContain('The next step opens a new branch.');
    await episode.button('Step').click();
    await asking;
  }

  test('a step that is lost with the language server is told of, and can be taken again', async () => {
    await episode.goTo(1);
    await beginStalledStep();
    await workbench.runCommand('Hopscope: Restart Language Server');
    await expect.poll(() => episode.failure(), { timeout: 40_000 }).toContain('so it is lost: take it again');
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step \d/);
    await workbench.screenshot('episode, lost step');
  });

  test('an endpoint that dies in the middle of a step does not', async () => {
    await episode.goTo(1);
    await beginStalledStep();
    await server.close();
    await expect.poll(() => episode.failure(), { timeout: 40_000 }).toContain('127.0.0.1');
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 1\b/);
    await workbench.screenshot('episode, dead endpoint');
    // Nothing is frozen.
    await episode.choose('oracle');
    await episode.button('Step').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 2\b/);
  });

  test('copies a report', async () => {
    await episode.button('Copy as Markdown').click();
    await expect.poll(() => episode.standing(), patience).toBe('Copied the episode as Markdown.');
    const text = await workbench.page.evaluate(() => navigator.clipboard.readText());
    expect(text).toMatch(/^# Navigator: hs1-train-0\n/);
  });

  test('is added to the runs', async () => {
    await episode.button('Add to Runs').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^Added run navigator--/);
    const runs = fs.readdirSync(path.join(workbench.folder, 'outputs'));
    expect(runs).toHaveLength(1);
  });

  test('the transcript beside follows the panel, and the panel the transcript', async () => {
    await episode.button('Open Transcript Beside').click();
    const transcript = workbench.page.locator('.editor-instance .view-line', { hasText: '=== step' });
    await expect.poll(() => transcript.count(), patience).toBeGreaterThan(1);
    await episode.find();
    await episode.goTo(1);
    await workbench.page.locator('.editor-instance .view-line', { hasText: /^===.step.2/ }).click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 2\b/);
    const before = await episode.steps();
    await workbench.page.keyboard.press('Control+End');
    await workbench.page.keyboard.type('\n=== step 3\nACTION: DROP 999');
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 3\b/);
    await expect
      .poll(async () => (await episode.steps()).at(-1), patience)
      .toMatch(/^3 DROP 999 \(failed\) Error 0 held$/);
    expect(await episode.steps()).toHaveLength(before.length + 1);
    await workbench.screenshot('episode, transcript beside');
  });

  test('comes back as it was after a reload', async () => {
    await workbench.runCommand('View: Close Other Editors in Group');
    await episode.find();
    const steps = await episode.steps();
    const standing = await episode.standing();
    const tree = await episode.frame.locator('.twig').count();
    // What is kept is written a little later.
    await episode.goTo(0);
    await expect.poll(() => keptPlaces(workbench), patience).toEqual([0]);
    await episode.goTo(3);
    await expect.poll(() => keptPlaces(workbench), patience).not.toContain(0);
    const reloaded = workbench.page.waitForEvent('load');
    await workbench.runCommand('Developer: Reload Window');
    await reloaded;
    await workbench.page.waitForSelector('.monaco-workbench .part.statusbar .statusbar-item');
    await episode.find();
    await expect.poll(() => episode.steps(), patience).toEqual(steps);
    expect(await episode.standing()).toBe(standing);
    expect(await episode.frame.locator('.twig').count()).toBe(tree);
  });
});

/** The nodes at which the sessions that are kept stand. */
function keptPlaces({ data }: Workbench): readonly unknown[] {
  return fs
    .readdirSync(data, { recursive: true, encoding: 'utf8' })
    .filter((name) => /episodes[\\/][\w-]+\.json$/.test(name))
    .map((name) => JSON.parse(fs.readFileSync(path.join(data, name), 'utf8')).at);
}
