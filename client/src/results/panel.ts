/** The results of one run: a panel that follows the run while it goes on. */
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { type LanguageClient, State } from 'vscode-languageclient/node';
import type {
  RequestMethod,
  RequestParams,
  RequestResult,
  RunProgress,
} from '../../../server/src/protocol.ts';
import { type FromPage, readFromPage, type ToPage } from '../../webview/results/messages.ts';
import { ask } from '../language-client.ts';
import { webviewHtml } from '../webview-html.ts';
import { openTranscript, promptDocumentUri } from './documents.ts';

/** Least time between two looks at a run that goes on, in ms. */
const pause = 400;
/** Time between two looks at a run whose files do not change, in ms. */
const look = 5000;

/** What a panel needs of the extension. */
export interface ResultsContext {
  readonly client: LanguageClient;
  readonly extensionUri: vscode.Uri;
}

export class ResultsPanel {
  readonly panel: vscode.WebviewPanel;
  /** Address of the run's folder. */
  readonly run: string;
  readonly #context: ResultsContext;
  readonly #subscriptions: vscode.Disposable[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** When that goes off, in ms since 1970. */
  #due = 0;
  /** The page can show something. */
  #isReady = false;
  #promptName = 'prompt';
  /** The last that was told. */
  #progress: RunProgress | undefined;
  #opening: Promise<RequestResult<'hopscope/results/open'> | undefined> | undefined;

  constructor(panel: vscode.WebviewPanel, run: string, context: ResultsContext) {
    this.panel = panel;
    this.run = run;
    this.#context = context;
    const folder = vscode.Uri.parse(run);
    const files = '{steps.jsonl,traces.jsonl,results.jsonl,metadata.json,notes.json,lock}';
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, files));
    this.#subscriptions.push(
      panel.webview.onDidReceiveMessage((message: unknown) => void this.#receive(readFromPage(message))),
      watcher,
      watcher.onDidChange(() => this.#refreshSoon()),
      watcher.onDidCreate(() => this.#refreshSoon()),
      watcher.onDidDelete(() => this.#refreshSoon()),
      // A server that was started anew has no run open.
      context.client.onDidChangeState(({ newState }) => {
        if (newState !== State.Running || !this.#isReady) return;
        this.#progress = undefined;
        void this.#open();
      }),
      panel.onDidDispose(() => this.#dispose()),
    );
    panel.title = 'Results';
    panel.webview.html = webviewHtml(panel.webview, context.extensionUri, 'results');
    // While the page is loaded, the run is opened.
    this.#opening = this.#ask('hopscope/results/open', { run });
  }

  /** Tells the page how far the run is read. */
  progressed(progress: RunProgress): void {
    this.#progress = progress;
    this.#post({ kind: 'progress', progress });
    // A process that is killed changes no file.
    if (progress.isRunning) this.#refreshSoon(look);
  }

  /** Looks whether the run went on, with what else has changed by then. */
  #refreshSoon(after = pause): void {
    // A timer that is running is left alone: a run that never pauses is to be seen moving.
    if (this.#timer !== undefined && this.#due <= Date.now() + after) return;
    clearTimeout(this.#timer);
    this.#due = Date.now() + after;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#ask('hopscope/results/refresh', { run: this.run }).then((found) => {
        if (found?.ok) this.progressed(found.value);
      });
    }, after);
  }

  async #open(): Promise<void> {
    const { run } = this;
    const opened = await (this.#opening ?? this.#ask('hopscope/results/open', { run }));
    this.#opening = undefined;
    if (!opened) return;
    if (!opened.ok) {
      this.#post({ kind: 'gone', reason: opened.error });
      return;
    }
    const { facts } = opened.value;
    // It may have gone on before the page could listen.
    const later = this.#progress;
    const progress = later && later.version > opened.value.progress.version ? later : opened.value.progress;
    this.panel.title = `Results ${facts.title}`;
    this.#promptName = facts.title.split(' · ')[0] ?? 'prompt';
    this.#post({ kind: 'run', run, facts, progress });
  }

  async #receive(message: FromPage | undefined): Promise<void> {
    const { run } = this;
    switch (message?.kind) {
      case 'ready':
        this.#isReady = true;
        return this.#open();
      case 'rows': {
        const { round, query, from, count } = message;
        const page = await this.#ask('hopscope/results/rows', { run, query, from, count });
        if (page?.ok) this.#post({ kind: 'rows', round, page: page.value });
        else if (page) this.#post({ kind: 'refused', what: 'rows', reason: page.error });
        return;
      }
      case 'figures': {
        const figures = await this.#ask('hopscope/results/figures', { run });
        if (figures?.ok) this.#post({ kind: 'figures', figures: figures.value });
        return;
      }
      case 'context': {
        const context = await this.#ask('hopscope/results/context', { run });
        this.#post({ kind: 'context', context: context?.ok ? context.value : null });
        return;
      }
      case 'steps': {
        const { task, from } = message;
        const page = await this.#ask('hopscope/results/steps', { run, task, from });
        if (page?.ok) this.#post({ kind: 'steps', task, from, page: page.value });
        else if (page) this.#post({ kind: 'refused', what: 'steps', reason: page.error });
        return;
      }
      case 'text': {
        const { task, at, part, from } = message;
        const page = await this.#ask('hopscope/results/text', { run, task, at, part, from });
        if (page?.ok) this.#post({ kind: 'text', task, at, part, from, page: page.value });
        else if (page) this.#post({ kind: 'refused', what: 'steps', reason: page.error });
        return;
      }
      case 'transcript':
        await openTranscript(this.#context.client, run, message.task, message.step);
        return;
      case 'episode':
        await vscode.commands.executeCommand('hopscope.openEpisode', { run, task: message.task });
        return;
      case 'prompt':
        await vscode.window.showTextDocument(promptDocumentUri(run, this.#promptName), { preview: true });
        return;
      case 'compare':
        await vscode.commands.executeCommand('hopscope.runs.compare', fileAddress(run));
        return;
      case 'failures':
        await vscode.commands.executeCommand('hopscope.runs.failures', fileAddress(run));
        return;
      case 'note':
        return this.#note(message.task);
      case 'annotate': {
        const { task, note } = message;
        if (!vscode.workspace.isTrusted) {
          const reason = 'Nothing is written in a folder that is not trusted, so the note was not kept.';
          this.#post({ kind: 'refused', what: 'note', reason });
          return;
        }
        const kept = await this.#ask('hopscope/annotateRun', { uri: run, task, note });
        if (kept?.ok) this.#post({ kind: 'note', task, note: kept.value });
        else if (kept) this.#post({ kind: 'refused', what: 'note', reason: kept.error });
        this.#refreshSoon();
        return;
      }
      default:
        return; // nothing of ours
    }
  }

  async #note(task: number): Promise<void> {
    const note = await this.#ask('hopscope/runNote', { uri: this.run, task });
    if (note?.ok) this.#post({ kind: 'note', task, note: note.value });
    else if (note) this.#post({ kind: 'refused', what: 'note', reason: note.error });
  }

  /** The answer, or undefined when the server went away: when it is back, the run is opened again. */
  async #ask<M extends RequestMethod>(
    method: M,
    params: RequestParams<M>,
  ): Promise<RequestResult<M> | undefined> {
    try {
      return await ask(this.#context.client, method, params);
    } catch (error) {
      this.#context.client.error(`${method} failed.`, error, false);
      return undefined;
    }
  }

  #post(message: ToPage): void {
    if (this.#subscriptions.length > 0) void this.panel.webview.postMessage(message);
  }

  #dispose(): void {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#subscriptions.length = 0;
  }
}

/** The address as the server writes it, which may differ in what is escaped. */
function fileAddress(run: string): string {
  return pathToFileURL(vscode.Uri.parse(run).fsPath).href;
}
