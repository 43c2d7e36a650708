/** The Runs view and everything that a person can do with runs. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { RunRow } from '../../../server/src/protocol.ts';
import { isStreamAddress } from '../results/place.ts';
import { ActiveRuns } from './active.ts';
import { isObject } from './child.ts';
import type { Command } from './command.ts';
import { Evals } from './eval.ts';
import { exportRun } from './export.ts';
import { type FailureChoice, runOnFailures } from './failures.ts';
import { editNote } from './notes.ts';
import { pickRun, pickRuns, uriIn } from './pick.ts';
import { canRun } from './places.ts';
import { registerRunPrompts, restorePrompt } from './restore.ts';
import { RunModel } from './run-model.ts';
import { RunTree } from './tree.ts';

/** Whether a run of ours has episodes left, whatever became of the others. */
const isOpen = ({ isOwn, status }: RunRow) => isOwn && (status === 'stopped' || status === 'errors');
const hasErrors = ({ isOwn, status, figures }: RunRow) =>
  isOwn && status !== 'running' && figures.counts.errored > 0;

export function registerRuns(
  client: LanguageClient,
  command: Command,
  memory: vscode.Memento,
): vscode.Disposable {
  const active = new ActiveRuns(command);
  const evals = new Evals(client, command, memory, active);
  const model = new RunModel(client);
  const view = vscode.window.createTreeView('hopscope.runs', {
    treeDataProvider: new RunTree(model),
    canSelectMany: true,
    showCollapseAll: true,
  });
  active.onDidChange(model.refreshSoon);
  model.watchWhile(() => view.visible);
  view.onDidChangeVisibility(model.refreshSoon);
  model.onDidChange(() => {
    view.message = model.listing.testSplits.flatMap(({ warning }) => warning ?? [])[0] ?? '';
  });

  async function stop(target: unknown): Promise<void> {
    const uri = uriIn(target);
    if (uri !== undefined) {
      if (active.stop({ folder: vscode.Uri.parse(uri).fsPath })) return;
      void vscode.window.showInformationMessage(
        'This window does not play that run: stop it where it was started, with Ctrl-C.',
      );
      return;
    }
    const [first, ...others] = active.titles;
    const title =
      others.length === 0 ? first : await vscode.window.showQuickPick(active.titles, { title: 'Stop Run' });
    if (title === undefined) void vscode.window.showInformationMessage('No run is under way in this window.');
    else active.stop({ title });
  }

  async function resume(target: unknown, title: string, wanted: (run: RunRow) => boolean) {
    if (!canRun()) return undefined;
    const uri = uriIn(target);
    if (uri !== undefined && isStreamAddress(uri)) {
      await model.ready();
      const stream = model.findStream(uri);
      return stream && evals.resumeStream(stream);
    }
    const run = await pickRun(model, target, title, wanted);
    return run && evals.resume(run);
  }

  async function compare(target: unknown, all: unknown): Promise<void> {
    const uris = await pickRuns(model, Array.isArray(all) ? all : [target]);
    if (uris) await vscode.commands.executeCommand('hopscope.compareRuns', uris);
  }

  async function failures(target: unknown, given: unknown) {
    if (!canRun()) return undefined;
    const hasFailures = (run: RunRow) => Object.keys(run.figures.causes).some((it) => it !== 'unfinished');
    const run = await pickRun(model, target, 'Run on Failures', hasFailures);
    return run && runOnFailures(command, evals, run, readFailureChoice(given));
  }

  async function note(target: unknown, task: unknown): Promise<void> {
    if (!canRun()) return;
    const uri = uriIn(target) ?? (await pickRun(model, undefined, 'Note on the Run'))?.uri;
    if (uri === undefined) return;
    if (await editNote(client, uri, typeof task === 'number' ? task : null)) await model.refresh();
  }

  const commands: Readonly<Record<string, (target?: unknown, more?: unknown) => unknown>> = {
    runEval: (target, given) => evals.run(target, given),
    repeatEval: () => evals.repeat(),
    stopEval: stop,
    comparePrompts: (target) => evals.compareTwo(target),
    'runs.resume': (target) => resume(target, 'Resume Run', isOpen),
    'runs.retry': (target) => resume(target, 'Retry Failed', hasErrors),
    'runs.compare': compare,
    'runs.export': async (target) => {
      if (!canRun()) return undefined;
      const run = await pickRun(model, target, 'Export Run');
      return run && exportRun(command, run);
    },
    'runs.failures': failures,
    'runs.restorePrompt': async (target, way) => {
      const run = await pickRun(model, target, 'Restore Prompt', ({ prompt }) => prompt !== null);
      const isWay = way === 'compare' || way === 'put back' || way === 'open';
      return run && restorePrompt(client, run, isWay ? way : undefined);
    },
    'runs.note': note,
    'runs.open': async (target) => {
      const uri = uriIn(target) ?? (await pickRun(model, undefined, 'Open Results'))?.uri;
      if (uri !== undefined) await vscode.commands.executeCommand('hopscope.openResults', uri);
    },
    'runs.refresh': () => model.refresh(),
    /** What the view shows, for other parts of the extension and for tests. */
    'runs.list': () => model.ready(),
  };
  return vscode.Disposable.from(
    view,
    active,
    model,
    registerRunPrompts(client),
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(`hopscope.${name}`, run),
    ),
  );
}

function readFailureChoice(given: unknown): FailureChoice | undefined {
  if (!isObject(given)) return undefined;
  const { causes, name } = given;
  if (typeof name !== 'string' || !Array.isArray(causes)) return undefined;
  return { name, causes: causes.filter((cause) => typeof cause === 'string') };
}
