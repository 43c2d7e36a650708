/** The largest document in the panel: opened, stepped through, closed, and opened again. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { forgetWorkers } from '../../rig/webview-workers.mjs';
import { Episode, patience } from './episode.ts';
import { Workbench } from './workbench.ts';

const prompt = `---
format: 1
environment: navigator
options: { doc_tokens: [128000], step_budget_base: 60, step_budget_per_hop: 0 }
---
user:
{{question}}

{{map_text}}

{{held_text}}
`;

describe.skipIf(whyNoWorkbench())('an episode on 128,000 tokens', () => {
  let workbench: Workbench;
  let episode: Episode;

  beforeAll(async () => {
    workbench = await Workbench.open({}, { files: { 'large.step.md': prompt } });
    episode = new Episode(workbench);
    await workbench.page.setViewportSize({ width: 1600, height: 1000 });
    await workbench.openFile('large.step.md');
    await workbench.page.keyboard.press('Control+B');
    const lens = workbench.editor.locator('.codelens-decoration a', { hasText: 'Step Episode' });
    await lens.waitFor({ timeout: 50_000 }); // what comes first waits for the server, too
  });
  afterAll(() => workbench?.close());

  /** Each opening is another episode. */
  test.each([1, 2, 3])('opens, steps and closes for time %i', async (time) => {
    await workbench.runCommand('Hopscope: Step Episode');
    await episode.find();
    const chunks = episode.frame.locator('.strip [role=option]');
    await expect.poll(() => chunks.count(), patience).toBeGreaterThan(300);
    expect(await episode.standing()).toBe('After step 0, 60 steps left.');
    await episode.choose('stall');
    await episode.button('Step').click();
    await expect.poll(() => episode.standing(), patience).toBe('After step 1, 59 steps left.');
    await expect.poll(() => chunks.and(episode.frame.locator('.held')).count(), patience).toBe(1);
    if (time === 1) await workbench.screenshot('episode, 128,000 tokens');
    const tab = workbench.page.locator('.tabs-container .tab', { hasText: '· large' });
    await tab.click({ button: 'middle' });
    await tab.waitFor({ state: 'detached' });
    await forgetWorkers(workbench.page);
  });
});
