/** Asking what to run: the step prompt, who plays, which instances and how many. What was chosen last is offered first. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { RunChoices, RunListing } from '../../../server/src/protocol.ts';
import { ask } from '../language-client.ts';
import { readEndpoint } from '../models/endpoint.ts';
import { selectModel } from '../models/select-model.ts';
import { type AgentChoice, type EvalChoice, promptName } from './choice.ts';
import { chooseStreams } from './choose-streams.ts';
import type { Command } from './command.ts';
import { allPlaces, proposedInstances } from './places.ts';

/** What questions are asked with. */
export interface Asking {
  readonly client: LanguageClient;
  readonly command: Command;
  readonly title: string;
  /** Chosen the last time. */
  readonly last: EvalChoice | undefined;
}

/** Files that are no workspace's own. */
const elsewhere = '**/{node_modules,.git}/**';

/**
 * The file of a step prompt, saved: the command reads it from the disk.
 *
 * @param given the address of it; otherwise that of the active editor, or one that is picked
 */
export async function choosePrompt(
  { title }: Asking,
  given: vscode.Uri | undefined,
  besides?: string,
): Promise<vscode.Uri | undefined> {
  const active = vscode.window.activeTextEditor?.document;
  const isActive = active?.languageId === 'hopscope-prompt' && active.uri.fsPath !== besides;
  const uri = given ?? (isActive ? active.uri : await pickPrompt(title, besides));
  if (!uri) return undefined;
  if (uri.scheme !== 'file') {
    void vscode.window.showWarningMessage(
      'Save the step prompt in a folder first: a run reads it from there.',
    );
    return undefined;
  }
  return (await save([uri.fsPath])) ? uri : undefined;
}

/** Saves files that are being edited. @returns whether all of them are on the disk now. */
export async function save(files: readonly string[]): Promise<boolean> {
  for (const document of vscode.workspace.textDocuments) {
    if (document.uri.scheme !== 'file' || !document.isDirty || !files.includes(document.uri.fsPath)) continue;
    if (!(await document.save())) return false;
  }
  return true;
}

async function pickPrompt(title: string, besides: string | undefined): Promise<vscode.Uri | undefined> {
  const found = await vscode.workspace.findFiles('**/*.step.md', elsewhere);
  const items = found
    .filter(({ fsPath }) => fsPath !== besides)
    .map((uri) => ({
      label: promptName(uri.fsPath),
      description: vscode.workspace.asRelativePath(uri),
      uri,
    }))
    .sort((a, b) => (a.description < b.description ? -1 : 1));
  if (items.length === 0) {
    void vscode.window.showWarningMessage('There is no (other) step prompt (*.step.md) in this workspace.');
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: besides === undefined ? 'Step prompt' : `Step prompt to compare with ${promptName(besides)}`,
    matchOnDescription: true,
  });
  return picked?.uri;
}

/** What runs of a step prompt can be of; shows what is wrong with it. */
export async function readChoices(client: LanguageClient, uri: vscode.Uri): Promise<RunChoices | undefined> {
  const document = await vscode.workspace.openTextDocument(uri);
  const choices = await ask(client, 'hopscope/runChoices', { text: document.getText() });
  if (choices.ok) return choices.value;
  void vscode.window.showErrorMessage(choices.error);
  return undefined;
}

interface AgentItem extends vscode.QuickPickItem {
  readonly agent?: AgentChoice;
}

/** Who plays: the model of the settings, another one, or a scripted policy. */
export async function chooseAgent(
  asking: Asking,
  prompt: vscode.Uri,
  choices: RunChoices,
): Promise<AgentChoice | undefined> {
  const { title, command } = asking;
  const picked = await vscode.window.showQuickPick(agentItems(asking, prompt, choices), {
    title,
    placeHolder: 'Who plays',
    matchOnDetail: true,
  });
  if (!picked) return undefined;
  if (picked.agent) return picked.agent;
  const selected = await selectModel(command, prompt);
  // Scripted policies were selected: which one is still to be said.
  return selected === null ? chooseAgent(asking, prompt, choices) : selected;
}

function agentItems({ last }: Asking, prompt: vscode.Uri, { policies, model }: RunChoices): AgentItem[] {
  const endpoint = readEndpoint(prompt);
  const models = new Map<string, string>();
  if (endpoint && model !== null) models.set(model, 'named by the step prompt');
  if (endpoint && endpoint.model !== '') models.set(endpoint.model, 'in the settings');
  const items: AgentItem[] = [
    { label: 'Models', kind: vscode.QuickPickItemKind.Separator },
    ...[...models].reverse().map(([name, description]) => ({
      label: `$(server) ${name}`,
      description,
      detail: endpoint?.baseUrl ?? '',
      agent: { model: name, baseUrl: endpoint?.baseUrl ?? '' },
    })),
    { label: '$(edit) Select Model…', detail: 'Another one, or another endpoint.' },
    { label: 'Scripted policies', kind: vscode.QuickPickItemKind.Separator },
    ...policies.map(({ id, description }) => ({
      label: `$(robot) ${id}`,
      detail: description,
      agent: { policy: id },
    })),
  ];
  const again = items.find(({ agent }) => agent && JSON.stringify(agent) === JSON.stringify(last?.agent));
  if (!again) return items;
  return [{ ...again, description: 'last time' }, ...items.filter((item) => item !== again)];
}

interface InstancesItem extends vscode.QuickPickItem {
  /** Undefined for streams, which are still to be chosen. */
  readonly instances: EvalChoice['instances'] | undefined;
  /** Published number; undefined for suites, of which all are played. */
  readonly size?: number;
}

/** Which instances, and how many of them. */
export async function chooseInstances(
  asking: Asking,
  prompt: vscode.Uri,
  { environment, split, streams }: RunChoices,
): Promise<Pick<EvalChoice, 'instances' | 'count'> | undefined> {
  const { client, title, last } = asking;
  const [suites, listing] = await Promise.all([
    vscode.workspace.findFiles('**/*.suite.json', elsewhere),
    ask(client, 'hopscope/listRuns', { folders: allPlaces().map(({ runs }) => toUri(runs)), prices: null }),
  ]);
  const splits = environment.splits.map((it): InstancesItem => {
    const warning = overuse(listing, environment.id, it.id);
    return {
      label: `$(${it.test ? 'lock' : 'library'}) ${it.id}`,
      description: `${it.size.toLocaleString('en')} instances${it.id === split ? ', named by the step prompt' : ''}`,
      detail: warning ?? it.description,
      instances: { split: it.id },
      size: it.size,
    };
  });
  const files = suites.map(
    ({ fsPath }): InstancesItem => ({
      label: `$(list-selection) ${path.basename(fsPath, '.suite.json')}`,
      description: vscode.workspace.asRelativePath(fsPath),
      instances: { suite: fsPath },
    }),
  );
  const own: InstancesItem[] = streams
    ? [
        {
          label: '$(mortar-board) Streams with a learning method…',
          description: counted(streams.methods.length, 'method'),
          detail: 'Tasks from which a method learns, and others on which it is measured.',
          instances: undefined,
        },
      ]
    : [];
  const wanted =
    last && 'streams' in last.instances && streams ? undefined : JSON.stringify(last?.instances ?? { split });
  const items = [...splits, ...files, ...own].sort((a, b) => rank(b, wanted) - rank(a, wanted));
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: 'Instances of which split or suite',
    matchOnDescription: true,
  });
  if (!picked) return undefined;
  if (picked.instances === undefined) {
    const chosen = streams && (await chooseStreams(asking, { environment, streams }));
    return chosen ? { instances: chosen, count: null } : undefined;
  }
  if (picked.size === undefined) return { instances: picked.instances, count: null };
  const count = await askCount(title, last?.count ?? proposedInstances(prompt), picked.size);
  return count === undefined ? undefined : { instances: picked.instances, count };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function rank({ instances }: InstancesItem, wanted: string | undefined): number {
  // Streams are offered near the top: where there are some, there are many splits.
  if (instances === undefined) return wanted === undefined ? 2 : 0.5;
  return Number(JSON.stringify(instances) === wanted);
}

/** What is to be said about a split that was used often; undefined for others. */
function overuse({ testSplits }: RunListing, environment: string, split: string): string | undefined {
  const use = testSplits.find((it) => it.environment === environment && it.split === split);
  if (!use) return undefined;
  const prompts = use.prompts === 1 ? '1 step prompt' : `${use.prompts} step prompts`;
  return use.warning ?? `A test split; ${prompts} tried on it so far.`;
}

async function askCount(title: string, proposed: number, size: number): Promise<number | undefined> {
  const typed = await vscode.window.showInputBox({
    title,
    prompt: `How many instances, from the first on. The published split has ${size.toLocaleString('en')}.`,
    value: String(proposed),
    validateInput: (text) =>
      /^\s*[1-9]\d{0,6}\s*$/.test(text) ? undefined : 'Write a whole number from 1 on.',
  });
  return typed === undefined ? undefined : Number(typed);
}

function toUri(folder: string): string {
  return vscode.Uri.file(folder).toString();
}
