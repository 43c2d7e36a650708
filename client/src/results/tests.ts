/** Episodes of finished runs as test results. Nothing can be run from there: a run is begun with the choices it needs. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { EpisodeRow, EpisodeVerdict, RequestResult } from '../../../server/src/protocol.ts';
import { ask } from '../language-client.ts';
import { transcriptUri } from './documents.ts';

/** Episodes of one run that are listed: those that failed come first, and a list of more helps nobody. */
const mostListed = 2000;
/** Runs that are listed. */
const mostRuns = 12;

export class RunTests implements vscode.Disposable {
  readonly #client: LanguageClient;
  #controller: vscode.TestController | undefined;
  /** Runs that are being published. */
  readonly #underWay = new Map<string, Promise<number>>();

  constructor(client: LanguageClient) {
    this.#client = client;
  }

  dispose(): void {
    this.#controller?.dispose();
  }

  /** Publishes a run, once however often it is asked for meanwhile. @returns how many of its episodes are listed. */
  publish(run: string): Promise<number> {
    const underWay = this.#underWay.get(run);
    if (underWay) return underWay;
    const publishing = this.#publish(run).finally(() => this.#underWay.delete(run));
    this.#underWay.set(run, publishing);
    return publishing;
  }

  async #publish(run: string): Promise<number> {
    const verdicts: EpisodeVerdict[] = [];
    let name = 'Run';
    let total = 0;
    for (let from: number | null = 0; from !== null; ) {
      const page: RequestResult<'hopscope/results/verdicts'> = await ask(
        this.#client,
        'hopscope/results/verdicts',
        { run, from },
      );
      if (!page.ok) {
        void vscode.window.showErrorMessage(page.error);
        return 0;
      }
      const { facts } = page.value;
      name = `${facts.title} · ${facts.label} · ${facts.id}`;
      total = page.value.total;
      verdicts.push(...page.value.verdicts);
      from = page.value.next;
    }
    const listed = verdicts.filter(({ row }) => row.outcome !== 'correct').slice(0, mostListed);
    for (const verdict of verdicts) {
      if (listed.length >= mostListed) break;
      if (verdict.row.outcome === 'correct') listed.push(verdict);
    }
    listed.sort((a, b) => a.row.task - b.row.task);
    this.#show(run, name, listed, total - listed.length);
    return listed.length;
  }

  #show(run: string, name: string, verdicts: readonly EpisodeVerdict[], left: number): void {
    // Made with the first run, so that nobody sees an empty list of tests.
    this.#controller ??= vscode.tests.createTestController('hopscope.runs', 'Hopscope Runs');
    const controller = this.#controller;
    const parent = controller.createTestItem(run, name);
    if (left > 0) parent.description = `${left} more are in its results`;
    const items = verdicts.map(({ row, line }) => itemOf(controller, run, row, line));
    parent.children.replace(items);
    controller.items.delete(run);
    controller.items.add(parent);
    const all = [...controller.items].map(([id]) => id);
    for (const id of all.slice(0, Math.max(0, all.length - mostRuns))) controller.items.delete(id);
    const published = controller.createTestRun(new vscode.TestRunRequest([parent]), name, false);
    for (const [at, { row }] of verdicts.entries()) {
      const item = items[at];
      if (item) report(published, item, row);
    }
    published.end();
  }
}

function itemOf(
  controller: vscode.TestController,
  run: string,
  row: EpisodeRow,
  line: number,
): vscode.TestItem {
  const label = row.rollout > 0 ? `${row.instance} #${row.rollout + 1}` : row.instance;
  const item = controller.createTestItem(String(row.task), label, transcriptUri(run, row.task, row.instance));
  item.range = new vscode.Range(line, 0, line, 0);
  if (row.outcome !== 'correct') item.description = whyOf(row);
  item.sortText = String(row.task).padStart(9, '0');
  return item;
}

function report(published: vscode.TestRun, item: vscode.TestItem, row: EpisodeRow): void {
  if (row.outcome === 'correct') published.passed(item);
  else if (row.outcome === 'unfinished') published.skipped(item);
  else {
    const steps =
      row.minSteps === null
        ? `${row.steps} ${row.steps === 1 ? 'step' : 'steps'}`
        : `${row.steps} of at least ${row.minSteps} steps`;
    const reward = row.reward === null ? 'no score' : `reward ${row.reward.toFixed(3)}`;
    const message = new vscode.TestMessage(`${whyOf(row)} (${reward}, ${steps})`);
    if (item.uri && item.range) message.location = new vscode.Location(item.uri, item.range);
    if (row.outcome === 'errored') published.errored(item, message);
    else published.failed(item, message);
  }
}

function whyOf({ cause, causeStep, error }: EpisodeRow): string {
  if (error !== null) return error;
  if (cause === null) return 'wrong, and not explained';
  return causeStep === null ? cause : `${cause} at step ${causeStep}`;
}

/** Publishes runs of the workspace when they finish: then the files that other tools read are written. */
export function publishFinished(tests: RunTests): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/metadata.json', false, false, true);
  const finished = async (file: vscode.Uri): Promise<void> => {
    const folder = vscode.Uri.joinPath(file, '..');
    try {
      await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, 'steps.jsonl'));
    } catch {
      return; // of another program, or of something else altogether
    }
    await tests.publish(folder.toString());
  };
  return vscode.Disposable.from(watcher, watcher.onDidCreate(finished), watcher.onDidChange(finished));
}
