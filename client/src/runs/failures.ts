/** "Run on Failures…": the instances on which episodes of a run failed, as a suite of the workspace, played again. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { RunRow } from '../../../server/src/protocol.ts';
import type { Played } from './active.ts';
import type { EvalChoice } from './choice.ts';
import { type Command, sentenceOf } from './command.ts';
import type { Evals } from './eval.ts';
import { placeFor } from './places.ts';

/** Which failures, and what the suite is called. */
export interface FailureChoice {
  /** Causes; none for all episodes that were scored and not correct. */
  readonly causes: readonly string[];
  readonly name: string;
}

/** No causes of the environment's: nothing was scored. */
const unscored: ReadonlySet<string> = new Set(['unfinished', 'provider-error', 'prompt-too-large']);

/** Makes the suite and runs it. @param given when nothing is to be asked. */
export async function runOnFailures(
  command: Command,
  evals: Evals,
  row: RunRow,
  given?: FailureChoice,
): Promise<Played | undefined> {
  const choice = given ?? (await chooseFailures(row));
  const place = placeFor(vscode.Uri.parse(row.uri));
  if (!choice || !place) return undefined;
  const suite = await writeSuite(command, row, choice, place.base);
  if (suite === undefined) return undefined;
  const again = choiceFor(row, suite, place.base);
  return again ? evals.play(again) : evals.runOn(suite);
}

async function chooseFailures(row: RunRow): Promise<FailureChoice | undefined> {
  const causes = Object.entries(row.figures.causes).filter(([cause]) => !unscored.has(cause));
  const { counts, accuracy } = row.figures;
  const failed = counts.scored - Math.round((accuracy.mean ?? 0) * accuracy.n);
  if (failed === 0) {
    void vscode.window.showInformationMessage('No scored episode of the run failed.');
    return undefined;
  }
  const items: (vscode.QuickPickItem & { cause: string | null })[] = [
    { label: '$(error) All Failures', description: episodes(failed), cause: null },
    ...causes.map(([cause, count]) => ({ label: cause, description: episodes(count), cause })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Run on Failures',
    placeHolder: 'Which failures',
  });
  if (!picked) return undefined;
  const proposed = `${picked.cause ?? 'failures'} of ${row.prompt?.name ?? row.agent.name} ${row.id}`;
  const name = await vscode.window.showInputBox({
    title: 'Run on Failures',
    prompt: 'Name of the suite; it stands in every figure over it.',
    value: proposed.replace(/[^\p{L}\p{N} ._-]/gu, '-').slice(0, 80),
    validateInput: (text) =>
      /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u.test(text)
        ? undefined
        : 'Letters, digits, blanks, dots, hyphens and underscores; a letter or digit first.',
  });
  return name === undefined ? undefined : { causes: picked.cause === null ? [] : [picked.cause], name };
}

function episodes(count: number): string {
  return count === 1 ? '1 episode' : `${count} episodes`;
}

/** @returns where the suite is; undefined when there is none, which is shown. */
async function writeSuite(
  command: Command,
  row: RunRow,
  { causes, name }: FailureChoice,
  base: string,
): Promise<string | undefined> {
  const folder = path.join(base, 'suites');
  await vscode.workspace.fs.createDirectory(vscode.Uri.file(folder));
  const file = path.join(folder, `${name.replaceAll(' ', '-')}.suite.json`);
  const args = [
    'suite',
    `--name=${name}`,
    ...(causes.length === 0 ? [] : [`--cause=${causes.join(',')}`]),
    `--out=${file}`,
    '--force', // the same failures of the same run
    '--',
    vscode.Uri.parse(row.uri).fsPath,
  ];
  const ended = await command.run({ args, cwd: base });
  if (ended.code === 0) return file;
  void vscode.window.showErrorMessage(sentenceOf(ended));
  return undefined;
}

/** The agent of the run with the step prompt as it is now; undefined where the folder does not say who and with what. */
function choiceFor({ prompt, agent }: RunRow, suite: string, base: string): EvalChoice | undefined {
  const file = prompt?.path ?? null;
  const prompts = file === null ? [] : [path.resolve(base, file)];
  const { name, baseUrl } = agent;
  if (agent.kind === 'model' && (baseUrl === null || prompts.length === 0)) return undefined;
  return {
    prompts,
    agent: agent.kind === 'policy' || baseUrl === null ? { policy: name } : { model: name, baseUrl },
    instances: { suite },
    count: null,
  };
}
