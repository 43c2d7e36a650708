/** Runs held against each other: a panel that opens what its page tells of. */
import * as vscode from 'vscode';
import {
  type FromComparison,
  readFromComparison,
  type ToComparison,
} from '../../webview/results/comparison/messages.ts';
import { type PageContext, PageLink } from '../page-link.ts';
import { promptDocumentUri, transcriptUri } from './documents.ts';

export class ComparisonPanel {
  readonly panel: vscode.WebviewPanel;
  readonly #runs: readonly string[];
  readonly #link: PageLink<ToComparison>;
  /** Counts comparisons; what belongs to an earlier one is out of date. */
  #round = 0;
  #isReady = false;

  constructor(panel: vscode.WebviewPanel, runs: readonly string[], context: PageContext) {
    this.panel = panel;
    this.#runs = runs;
    this.#link = new PageLink(panel, context);
    this.#link.onServerStart(() => {
      if (this.#isReady) this.compare();
    });
    panel.title = 'Comparison';
    this.#link.load('comparison', (message) => void this.#receive(readFromComparison(message)));
  }

  /** Reads the runs anew and compares every further one with the first. */
  compare(): void {
    void this.#compare();
  }

  async #compare(): Promise<void> {
    const round = ++this.#round;
    const [a, ...others] = this.#runs;
    this.#link.post({ kind: 'begin', round, runs: [...this.#runs] });
    for (const [at, b] of others.entries()) {
      if (a === undefined) return;
      const found = await this.#link.ask('hopscope/results/compare', { a, b });
      if (round !== this.#round || !found) return;
      if (found.ok) this.#link.post({ kind: 'pair', round, at, comparison: found.value });
      else this.#link.post({ kind: 'refused', round, at, reason: found.error });
    }
  }

  async #receive(message: FromComparison | undefined): Promise<void> {
    if (message === undefined) return; // nothing of ours
    if (message.kind === 'ready') {
      this.#isReady = true;
      return this.#compare();
    }
    if (message.kind === 'again') return this.#compare();
    const [a, b] = [this.#runs[0], this.#runs[message.at + 1]];
    if (a === undefined || b === undefined) return;
    switch (message.kind) {
      case 'flips': {
        const { round, at, flips, from } = message;
        const page = await this.#link.ask('hopscope/results/flips', { a, b, kind: flips, from });
        if (page?.ok) this.#link.post({ kind: 'flips', round, at, flips, from, page: page.value });
        return;
      }
      case 'parting': {
        const { round, at, flips, flip } = message;
        const parting = await this.#link.ask('hopscope/results/parting', { a, b, kind: flips, at: flip });
        if (parting?.ok) this.#link.post({ kind: 'parting', round, at, flips, flip, parting: parting.value });
        else if (parting) this.#link.post({ kind: 'refused', round, at, reason: parting.error });
        return;
      }
      case 'sideBySide':
        return this.#sideBySide(a, b, message);
      case 'prompts': {
        const [left, right] = [promptDocumentUri(a, 'A'), promptDocumentUri(b, 'B')];
        await vscode.commands.executeCommand('vscode.diff', left, right, 'Prompts: A and B');
        return;
      }
      case 'results': {
        await vscode.commands.executeCommand('hopscope.openResults', message.side === 'a' ? a : b);
        return;
      }
    }
  }

  /** Both episodes beside each other, with the step at which they part in sight. */
  async #sideBySide(
    a: string,
    b: string,
    { instance, tasks, step }: Extract<FromComparison, { kind: 'sideBySide' }>,
  ): Promise<void> {
    const made = await this.#link.ask('hopscope/results/transcript', { run: b, task: tasks.b, step });
    const line = made?.ok ? made.value.line : 0;
    const left = transcriptUri(a, tasks.a, `${instance} A`);
    const right = transcriptUri(b, tasks.b, `${instance} B`);
    const selection = new vscode.Range(line, 0, line, 0);
    await vscode.commands.executeCommand('vscode.diff', left, right, `${instance}: A and B`, {
      selection,
      preview: false,
    } satisfies vscode.TextDocumentShowOptions);
  }
}
