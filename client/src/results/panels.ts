/** The results that are open, at most one panel for each run, and how they are opened and restored. */
import * as vscode from 'vscode';
import type { ResultsNotifications, RunProgress } from '../../../server/src/protocol.ts';
import { readPageState } from '../../webview/results/messages.ts';
import { ask } from '../language-client.ts';
import type { PageContext } from '../page-link.ts';
import { webviewOptions } from '../webview-html.ts';
import { ResultsPanel } from './panel.ts';
import { placeOf } from './place.ts';

const viewType = 'hopscope.results';
const progressMethod: keyof ResultsNotifications = 'hopscope/results/progress';

export class ResultsPanels implements vscode.WebviewPanelSerializer {
  readonly #context: PageContext;
  readonly #options: vscode.WebviewOptions & vscode.WebviewPanelOptions;
  readonly #open = new Map<string, ResultsPanel>();

  constructor(context: PageContext) {
    this.#context = context;
    this.#options = { ...webviewOptions(context.extensionUri), enableFindWidget: true };
  }

  /** Registers the command, and the restoring of panels after a reload of the window. */
  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.commands.registerCommand('hopscope.openResults', (target?: unknown, manner?: unknown) =>
        this.show(target, manner),
      ),
      vscode.window.registerWebviewPanelSerializer(viewType, this),
      this.#context.client.onNotification(progressMethod, (progress: RunProgress) =>
        this.#open.get(progress.run)?.progressed(progress),
      ),
    );
  }

  /**
   * @param target the address of a run folder, or of a file in one; asked for when absent
   * @param manner `quietly` leaves the focus where it is
   */
  async show(target: unknown, manner?: unknown): Promise<void> {
    const run = runAddress(target) ?? (await pickFolder());
    if (run === undefined) return;
    const open = this.#open.get(run);
    const place = placeOf(manner);
    if (open) {
      open.panel.reveal(undefined, place.preserveFocus);
      return;
    }
    this.#add(vscode.window.createWebviewPanel(viewType, 'Results', place, this.#options), run);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const kept = readPageState(state);
    if (!kept || this.#open.has(kept.run)) {
      panel.dispose();
      return;
    }
    panel.webview.options = this.#options;
    this.#add(panel, kept.run);
  }

  #add(panel: vscode.WebviewPanel, run: string): void {
    const opened = new ResultsPanel(panel, run, this.#context);
    this.#open.set(run, opened);
    panel.onDidDispose(() => {
      this.#open.delete(run);
      void ask(this.#context.client, 'hopscope/results/close', { run }).catch(() => undefined);
    });
  }
}

/** Files that runs have, by which one may be opened. */
const runFiles = /\/(?:steps|traces|results)\.jsonl$/;

/** The folder of the run that a command was called with: by its address, that of a file in it, or a node of the Runs view. */
export function runAddress(target: unknown): string | undefined {
  if (typeof target === 'string') return target === '' ? undefined : runAddress(vscode.Uri.parse(target));
  if (target instanceof vscode.Uri) {
    const path = target.path.replace(runFiles, '').replace(/\/$/, '');
    return target.with({ path }).toString();
  }
  if (typeof target !== 'object' || target === null || !('run' in target)) return undefined;
  const { run } = target;
  if (typeof run !== 'object' || run === null || !('uri' in run)) return undefined;
  return typeof run.uri === 'string' ? runAddress(run.uri) : undefined;
}

/** Asks for a run: the workspace's own ones are in the Runs view, others are anywhere. */
async function pickFolder(): Promise<string | undefined> {
  const picked = await vscode.window.showOpenDialog({
    title: 'Open Results',
    openLabel: 'Open Results',
    canSelectFolders: true,
    canSelectFiles: false,
  });
  return picked?.[0]?.toString();
}
