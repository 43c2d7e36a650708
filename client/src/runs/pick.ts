/** Which run is meant: the one of a menu, or one that is picked from the list. */
import * as vscode from 'vscode';
import type { RunRow, StreamEntry } from '../../../server/src/protocol.ts';
import { isObject } from './child.ts';
import { describeRun, titleOf } from './items.ts';
import { whyNoRuns } from './places.ts';
import { type RunModel, sameUri } from './run-model.ts';
import { describeStream, streamTitle } from './stream-items.ts';

/** The address in what a command was called with: an address, or a node of the tree. */
export function uriIn(target: unknown): string | undefined {
  if (typeof target === 'string') return sameUri(target);
  if (target instanceof vscode.Uri) return target.toString();
  if (!isObject(target) || !isObject(target['run'])) return undefined;
  const { uri } = target['run'];
  return typeof uri === 'string' ? uri : undefined;
}

interface RunItem extends vscode.QuickPickItem {
  readonly run: RunRow;
}

interface AnyItem extends vscode.QuickPickItem {
  readonly run: RunRow | StreamEntry;
}

function streamItemsOf(streams: readonly StreamEntry[]): AnyItem[] {
  return streams.map((run) => ({
    label: [run.prompt?.name, streamTitle(run)].filter((part) => part !== undefined).join(' · '),
    description: new Date(run.time).toLocaleString(),
    detail: describeStream(run),
    run,
  }));
}

function itemsOf(runs: readonly RunRow[]): RunItem[] {
  return runs.map((run) => ({
    label: [run.prompt?.name, titleOf(run)].filter((part) => part !== undefined).join(' · '),
    description: new Date(run.time).toLocaleString(),
    detail: [describeRun(run), run.note.text.split('\n')[0] ?? ''].filter((part) => part !== '').join(' · '),
    run,
  }));
}

/** The runs that `wanted` allows; says so when there is none. */
async function candidates(model: RunModel, wanted: (run: RunRow) => boolean): Promise<readonly RunRow[]> {
  const { runs } = await model.ready();
  const found = runs.filter(wanted);
  if (found.length === 0) {
    void vscode.window.showInformationMessage(whyNoRuns() ?? 'There is no such run in this workspace.');
  }
  return found;
}

/** The run that a command is about. */
export async function pickRun(
  model: RunModel,
  target: unknown,
  title: string,
  wanted: (run: RunRow) => boolean = () => true,
): Promise<RunRow | undefined> {
  const uri = uriIn(target);
  if (uri !== undefined) {
    await model.ready();
    const run = model.find(uri);
    if (!run) void vscode.window.showErrorMessage(`There is no run at ${uri} in this workspace.`);
    return run;
  }
  const found = await candidates(model, wanted);
  if (found.length === 0) return undefined;
  const picked = await vscode.window.showQuickPick(itemsOf(found), {
    title,
    placeHolder: 'Run',
    matchOnDetail: true,
    matchOnDescription: true,
  });
  return picked?.run;
}

/**
 * Two or more runs, the one to compare with first: the oldest of those that were chosen.
 *
 * @param chosen addresses or nodes; more are asked for when there are not two of them.
 */
export async function pickRuns(
  model: RunModel,
  chosen: readonly unknown[],
): Promise<readonly string[] | undefined> {
  const given = [...new Set(chosen.flatMap((target) => uriIn(target) ?? []))];
  const { runs, streams } = await model.ready();
  const all = [...runs, ...streams];
  if (all.length === 0) {
    void vscode.window.showInformationMessage(whyNoRuns() ?? 'There is no such run in this workspace.');
    return undefined;
  }
  if (given.length >= 2) return oldestFirst(all.filter(({ uri }) => given.includes(uri)));
  const items = [...itemsOf(runs), ...streamItemsOf(streams)].map((item) => ({
    ...item,
    picked: given.includes(item.run.uri),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Compare Runs',
    placeHolder: 'Two or more; the oldest is what the others are compared with',
    canPickMany: true,
    matchOnDetail: true,
    matchOnDescription: true,
  });
  if (!picked) return undefined;
  if (picked.length < 2) {
    void vscode.window.showInformationMessage('Pick two runs at least.');
    return undefined;
  }
  return oldestFirst(picked.map(({ run }) => run));
}

function oldestFirst(runs: readonly (RunRow | StreamEntry)[]): readonly string[] {
  return [...runs].sort((a, b) => a.time - b.time).map(({ uri }) => uri);
}
