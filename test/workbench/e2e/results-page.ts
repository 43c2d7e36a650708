/** The results panel and the comparison page: pages in a page in the page. And run folders to look at. */
import path from 'node:path';
import { source as axeSource } from 'axe-core';
import type { Frame, FrameLocator, Locator } from 'playwright-core';
import type { Instance } from '../../../server/src/engine/environments/navigator/instance.ts';
import { oracleReplies, writeRunFolder } from '../../support/run-folders.ts';
import { textOf } from './preview.ts';
import type { Workbench } from './workbench.ts';

/** A reply that a page which takes it for markup would run. */
const hostile = '<img src=x onerror="document.body.dataset.owned=1"><b>bold</b>';

/** What the first agent says: some are solved, others fail in one way or another. */
function firstReplies(instance: Instance): readonly string[] | null {
  const number = Number(/\d+$/.exec(instance.id)?.[0]);
  const correct = oracleReplies(instance);
  if (number % 11 === 10) return null;
  if (number % 4 === 1) return [correct[0] ?? '', `THOUGHT: ${hostile}\nACTION: ANSWER unknown`];
  if (number % 4 === 2) return ['ACTION: ANSWER Nobody'];
  return correct;
}

/** The second one solves most of what the first does not, and gives up elsewhere. */
function secondReplies(instance: Instance): readonly string[] {
  const number = Number(/\d+$/.exec(instance.id)?.[0]);
  const correct = oracleReplies(instance);
  return number % 8 === 7 ? [correct[0] ?? '', 'ACTION: ANSWER unknown'] : correct;
}

const indices = Array.from({ length: 24 }, (_, index) => index);

/** Two runs of different prompts on the same instances, in the folder of a workbench. */
export function writeRuns(folder: string): { readonly first: string; readonly second: string } {
  const parent = path.join(folder, 'outputs');
  const head = '---\nformat: 1\nenvironment: navigator\n---\n';
  const write = (
    id: string,
    model: string,
    rules: string,
    replies: (instance: Instance) => readonly string[] | null,
  ) =>
    writeRunFolder(parent, {
      id,
      model,
      split: 'id_test',
      indices,
      prompt: `${head}system:\n${rules}\nuser:\n{{question}}\n{{map_text}}\n{{held_text}}\n`,
      replies,
    });
  return {
    first: write('00000001', 'hasty', 'Answer.', firstReplies),
    second: write('00000002', 'careful', 'Read first, then answer.', secondReplies),
  };
}

export class PageInEditor {
  readonly frame: FrameLocator;
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
    this.frame = workbench.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name });
  }

  /** Rows of the table that are on the page. */
  get rows(): Locator {
    return this.frame.locator('.rows [role="row"]');
  }

  /** The row at a place of the table, from 0. */
  row(at: number): Locator {
    return this.frame.locator(`#row-${at}`);
  }

  get details(): Locator {
    return this.frame.locator('.details');
  }

  /** What is said about the number of episodes in the table. */
  async found(): Promise<string> {
    return (await textOf(this.frame.locator('.filters [role="status"]'))).trim();
  }

  /** Chooses from a list of the filters. */
  async choose(name: string, label: RegExp): Promise<void> {
    const list = this.frame.getByRole('combobox', { name, exact: true });
    const value = await list.locator('option').filter({ hasText: label }).first().getAttribute('value');
    await list.selectOption(value ?? '');
  }

  /** What axe finds wrong with the page, gravest kinds only, as `rule: element`. */
  async violations(): Promise<string[]> {
    const frame = await this.#inner();
    await frame.evaluate(axeSource);
    const found: unknown = await frame.evaluate(
      "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations" +
        ".filter(({ impact }) => impact === 'serious' || impact === 'critical')" +
        ".flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))",
    );
    return Array.isArray(found) ? found.map(String) : [];
  }

  /** The page's own frame; scripts that tests run in it are no part of what it allows itself. */
  async #inner(): Promise<Frame> {
    const handle = await this.frame.locator('html').elementHandle();
    const frame = await handle?.ownerFrame();
    if (!frame) throw new Error('no page');
    return frame;
  }

  /** A run in the Runs view, by its model. */
  inView(model: string): Locator {
    return this.#workbench.page.locator('.pane-body .monaco-list-row', { hasText: `${model} · id_test` });
  }

  /** Opens a run from the Runs view. */
  async openFromView(model: string): Promise<void> {
    if (!(await this.inView(model).isVisible())) {
      await this.#workbench.page.locator('.activitybar .action-item a[aria-label^="Hopscope"]').click();
    }
    await this.inView(model).first().click();
    await this.frame.locator('h1', { hasText: model }).waitFor();
  }
}

/** `traces.jsonl` of another program with that many episodes, whose instances are not to be had. */
export function manyEpisodes(count: number): string {
  const lines = Array.from({ length: count }, (_, number) => {
    const task = { key: `i-${number}`, hash: `${number}`, data: { n_hops: (number % 3) + 2 } };
    const nodes = [
      { message: { role: 'user', content: 'What?' }, sampled: false },
      { message: { role: 'assistant', content: 'ACTION: READ 1' }, sampled: true },
    ];
    const rewards = { reward: { score: number % 2, weight: 1 } };
    return JSON.stringify({ id: `${number}`, env: { id: 'navigator' }, task, traces: [{ nodes, rewards }] });
  });
  return `${lines.join('\n')}\n`;
}
