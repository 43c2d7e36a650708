/** The results of one run: a panel that follows the run while it goes on. */
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { RequestResult, RunProgress } from '../../../server/src/protocol.ts';
import { type FromPage, readFromPage, type ToPage } from '../../webview/results/messages.ts';
import { type PageContext, PageLink } from '../page-link.ts';
import { placeFor } from '../runs/places.ts';
import { openTranscript, promptDocumentUri } from './documents.ts';
import { isStreamAddress } from './place.ts';

/** Least time between two looks at a run that goes on, in ms. */
const pause = 400;
/** Time between two looks at a run whose files do not change, in ms. */
const look = 5000;

export class ResultsPanel {
  readonly panel: vscode.WebviewPanel;
  /** Address of the run's folder. */
  readonly run: string;
  readonly #client: LanguageClient;
  readonly #link: PageLink<ToPage>;
  #timer: NodeJS.Timeout | undefined;
  /** When that goes off, in ms since 1970. */
  #due = 0;
  /** The page can show something. */
  #isReady = false;
  #promptName = 'prompt';
  /** The last that was told. */
  #progress: RunProgress | undefined;
  #opening: Promise<RequestResult<'hopscope/results/open'> | undefined> | undefined;

  constructor(panel: vscode.WebviewPanel, run: string, context: PageContext) {
    this.panel = panel;
    this.run = run;
    this.#client = context.client;
    this.#link = new PageLink(panel, context);
    const folder = vscode.Uri.parse(run);
    const watcher = vscode.workspace.createFileSystemWatcher(patternOf(folder));
    this.#link.keep(
      watcher,
      watcher.onDidChange(() => this.#refreshSoon()),
      watcher.onDidCreate(() => this.#refreshSoon()),
      watcher.onDidDelete(() => this.#refreshSoon()),
      panel.onDidDispose(() => clearTimeout(this.#timer)),
    );
    this.#link.onServerStart(() => {
      if (!this.#isReady) return;
      this.#progress = undefined;
      void this.#open();
    });
    // Until it is known what the run is of, the name of its folder tells it from others.
    panel.title = `Results ${folder.path.split('/').at(-1)}`;
    this.#link.load('results', (message) => void this.#receive(readFromPage(message)));
    // While the page is loaded, the run is opened.
    this.#opening = this.#link.ask('hopscope/results/open', { run });
  }

  /** Tells the page how far the run is read. */
  progressed(progress: RunProgress): void {
    this.#progress = progress;
    this.#link.post({ kind: 'progress', progress });
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
      void this.#link.ask('hopscope/results/refresh', { run: this.run }).then((found) => {
        if (found?.ok) this.progressed(found.value);
      });
    }, after);
  }

  async #open(): Promise<void> {
    const { run } = this;
    const opened = await (this.#opening ?? this.#link.ask('hopscope/results/open', { run }));
    this.#opening = undefined;
    if (!opened) return;
    if (!opened.ok) {
      this.#link.post({ kind: 'gone', reason: opened.error });
      return;
    }
    const { facts } = opened.value;
    // It may have gone on before the page could listen.
    const later = this.#progress;
    const progress = later && later.version > opened.value.progress.version ? later : opened.value.progress;
    this.panel.title = `Results ${facts.title}`;
    this.#promptName = facts.title.split(' · ')[0] ?? 'prompt';
    this.#link.post({ kind: 'run', run, facts, progress });
  }

  async #receive(message: FromPage | undefined): Promise<void> {
    const { run } = this;
    switch (message?.kind) {
      case 'ready':
        this.#isReady = true;
        return this.#open();
      case 'rows': {
        const { round, query, from, count } = message;
        const page = await this.#link.ask('hopscope/results/rows', { run, query, from, count });
        if (page?.ok) this.#link.post({ kind: 'rows', round, page: page.value });
        else if (page) this.#link.post({ kind: 'refused', what: 'rows', reason: page.error });
        return;
      }
      case 'figures': {
        const figures = await this.#link.ask('hopscope/results/figures', { run });
        if (figures?.ok) this.#link.post({ kind: 'figures', figures: figures.value });
        return;
      }
      case 'context': {
        const context = await this.#link.ask('hopscope/results/context', { run });
        this.#link.post({ kind: 'context', context: context?.ok ? context.value : null });
        return;
      }
      case 'stream': {
        const prices = placeFor(vscode.Uri.parse(run))?.prices ?? null;
        const stream = await this.#link.ask('hopscope/results/stream', { run, prices });
        if (stream?.ok) this.#link.post({ kind: 'stream', stream: stream.value });
        return;
      }
      case 'memory': {
        const { at } = message;
        const text = await this.#link.ask('hopscope/results/memory', { run, at });
        if (text?.ok) this.#link.post({ kind: 'memory', at, text: text.value.text });
        return;
      }
      case 'steps': {
        const { task, from } = message;
        const page = await this.#link.ask('hopscope/results/steps', { run, task, from });
        if (page?.ok) this.#link.post({ kind: 'steps', task, from, page: page.value });
        else if (page) this.#link.post({ kind: 'refused', what: 'steps', reason: page.error });
        return;
      }
      case 'text': {
        const { task, at, part, from } = message;
        const page = await this.#link.ask('hopscope/results/text', { run, task, at, part, from });
        if (page?.ok) this.#link.post({ kind: 'text', task, at, part, from, page: page.value });
        else if (page) this.#link.post({ kind: 'refused', what: 'steps', reason: page.error });
        return;
      }
      case 'transcript':
        await openTranscript(this.#client, run, message.task, message.step);
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
          this.#link.post({ kind: 'refused', what: 'note', reason });
          return;
        }
        const kept = await this.#link.ask('hopscope/annotateRun', { uri: run, task, note });
        if (kept?.ok) this.#link.post({ kind: 'note', task, note: kept.value });
        else if (kept) this.#link.post({ kind: 'refused', what: 'note', reason: kept.error });
        this.#refreshSoon();
        return;
      }
      default:
        return; // nothing of ours
    }
  }

  async #note(task: number): Promise<void> {
    const note = await this.#link.ask('hopscope/runNote', { uri: this.run, task });
    if (note?.ok) this.#link.post({ kind: 'note', task, note: note.value });
    else if (note) this.#link.post({ kind: 'refused', what: 'note', reason: note.error });
  }
}

/** What is written to while a run or a stream goes on. */
function patternOf(run: vscode.Uri): vscode.RelativePattern {
  if (isStreamAddress(run.path)) {
    return new vscode.RelativePattern(vscode.Uri.joinPath(run, '..'), '*.{jsonl,lock}');
  }
  const files = '{steps.jsonl,traces.jsonl,results.jsonl,metadata.json,notes.json,lock}';
  return new vscode.RelativePattern(run, files);
}

/** The address as the server writes it, which may differ in what is escaped. */
function fileAddress(run: string): string {
  return pathToFileURL(vscode.Uri.parse(run).fsPath).href;
}
