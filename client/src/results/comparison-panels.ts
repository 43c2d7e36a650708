/** Comparisons that are open: pages on which runs are held against each other. */
import * as vscode from 'vscode';
import { readComparisonState } from '../../webview/results/comparison/messages.ts';
import type { PageContext } from '../page-link.ts';
import { webviewOptions } from '../webview-html.ts';
import { ComparisonPanel } from './comparison-panel.ts';
import { runAddress } from './panels.ts';
import { placeOf } from './place.ts';

const viewType = 'hopscope.comparison';

export class ComparisonPanels implements vscode.WebviewPanelSerializer {
  readonly #context: PageContext;
  readonly #options: vscode.WebviewOptions & vscode.WebviewPanelOptions;
  readonly #open = new Map<string, ComparisonPanel>();

  constructor(context: PageContext) {
    this.#context = context;
    this.#options = { ...webviewOptions(context.extensionUri), enableFindWidget: true };
  }

  /** Registers the command, and the restoring of panels after a reload of the window. */
  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.commands.registerCommand('hopscope.compareRuns', (runs?: unknown, manner?: unknown) =>
        this.show(runs, manner),
      ),
      vscode.window.registerWebviewPanelSerializer(viewType, this),
    );
  }

  /**
   * @param target addresses of two or more runs, the one to compare with first
   * @param manner `quietly` leaves the focus where it is
   */
  show(target: unknown, manner?: unknown): void {
    const runs = Array.isArray(target) ? target.map(runAddress).filter((run) => run !== undefined) : [];
    if (runs.length < 2) {
      void vscode.window.showErrorMessage('Choose two runs at least to compare, in the Runs view.');
      return;
    }
    const open = this.#open.get(keyOf(runs));
    const place = placeOf(manner);
    if (open) {
      open.panel.reveal(undefined, place.preserveFocus);
      open.compare();
      return;
    }
    this.#add(vscode.window.createWebviewPanel(viewType, 'Comparison', place, this.#options), runs);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const kept = readComparisonState(state);
    if (!kept || kept.runs.length < 2) {
      panel.dispose();
      return;
    }
    panel.webview.options = this.#options;
    this.#add(panel, kept.runs);
  }

  #add(panel: vscode.WebviewPanel, runs: readonly string[]): void {
    const opened = new ComparisonPanel(panel, runs, this.#context);
    this.#open.set(keyOf(runs), opened);
    panel.onDidDispose(() => this.#open.delete(keyOf(runs)));
  }
}

function keyOf(runs: readonly string[]): string {
  return runs.join('\n');
}
