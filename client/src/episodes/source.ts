/** What an episode panel is opened on, from whatever a person has pointed at. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { SessionSource } from '../../../server/src/protocol.ts';
import { ask } from '../language-client.ts';
import { pickInstance } from '../open-instance.ts';
import type { RunNode } from '../runs/items.ts';
import { builtInPrompt, nameOf, readPrompt } from './prompts.ts';

/** What is opened, and what the tab is called until more is known. */
export interface Target {
  /** Found while the page of the panel is loading; undefined when there is nothing, which has been told. */
  source(): Promise<SessionSource | undefined>;
  readonly title: string;
}

export interface SourceContext {
  readonly client: LanguageClient;
  readonly extensionUri: vscode.Uri;
  readonly memory: vscode.Memento;
}

/**
 * @param target the address of a step prompt, an instance or a transcript; an episode of a run as
 *   `{ run, task }`, with path or address of its folder; a row of the Runs view, of which an episode is asked for; otherwise
 *   the active editor's document is meant, or an instance is asked for.
 * @returns undefined when the person thought better of it.
 */
export async function findTarget(target: unknown, context: SourceContext): Promise<Target | undefined> {
  if (isRunNode(target)) return fromRunNode(target);
  const run = readRunTarget(target);
  if (run) return { source: async () => ({ kind: 'run', ...run }), title: `Episode ${run.task}` };
  const uri = uriOf(target) ?? vscode.window.activeTextEditor?.document.uri;
  const document =
    uri && (await Promise.resolve(vscode.workspace.openTextDocument(uri)).catch(() => undefined));
  switch (document?.languageId) {
    case 'hopscope-prompt':
      return fromPrompt(document.uri, context);
    case 'hopscope-instance':
      return fromInstance(document.uri.toString(), context);
    case 'hopscope-episode':
      return fromTranscript(document);
    default: {
      const selector = await pickInstance(context.client, context.memory, 'Open Episode');
      if (!selector) return undefined;
      const located = await ask(context.client, 'hopscope/locateInstance', selector);
      if (located.ok) return fromInstance(located.value.uri, context);
      void vscode.window.showErrorMessage(located.error);
      return undefined;
    }
  }
}

function uriOf(target: unknown): vscode.Uri | undefined {
  if (target instanceof vscode.Uri) return target;
  if (typeof target === 'string') return vscode.Uri.parse(target);
  // A row of the Instances view.
  const row: unknown = typeof target === 'object' && target !== null ? Reflect.get(target, 'row') : undefined;
  const uri: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, 'uri') : undefined;
  return typeof uri === 'string' ? vscode.Uri.parse(uri) : undefined;
}

function readRunTarget(target: unknown): { readonly folder: string; readonly task: number } | undefined {
  if (typeof target !== 'object' || target === null || target instanceof vscode.Uri) return undefined;
  const folder: unknown = Reflect.get(target, 'run') ?? Reflect.get(target, 'folder');
  const task: unknown = Reflect.get(target, 'task');
  return typeof folder === 'string' && typeof task === 'number' && Number.isSafeInteger(task) && task >= 0
    ? { folder, task }
    : undefined;
}

function isRunNode(target: unknown): target is RunNode {
  if (typeof target !== 'object' || target === null || Reflect.get(target, 'kind') !== 'run') return false;
  const run: unknown = Reflect.get(target, 'run');
  return typeof run === 'object' && run !== null && typeof Reflect.get(run, 'uri') === 'string';
}

async function fromRunNode({ run }: RunNode): Promise<Target | undefined> {
  const last = run.figures.counts.requested - 1;
  const typed =
    last <= 0
      ? '0'
      : await vscode.window.showInputBox({
          title: 'Open Episode',
          prompt: `Number of the episode in the run, from 0 to ${last}. Open the results to choose by outcome.`,
          value: '0',
          validateInput: (text) =>
            /^\d+$/.test(text) && Number(text) <= last ? undefined : `A whole number from 0 to ${last}.`,
        });
  if (typed === undefined) return undefined;
  const task = Number(typed);
  return { source: async () => ({ kind: 'run', folder: run.uri, task }), title: `Episode ${task}` };
}

function fromPrompt(uri: vscode.Uri, { client }: SourceContext): Target {
  return {
    title: nameOf(uri),
    async source() {
      const [instance, prompt = null] = await Promise.all([
        ask(client, 'hopscope/previewedInstance', { uri: uri.toString() }),
        readPrompt(uri),
      ]);
      if (instance.ok) return { kind: 'instance', uri: instance.value.uri, prompt };
      void vscode.window.showErrorMessage(instance.error);
      return undefined;
    },
  };
}

function fromInstance(uri: string, { extensionUri }: SourceContext): Target {
  const [, environment = '', ...path] = vscode.Uri.parse(uri).path.split('/');
  return {
    title: (path.at(-1) ?? '').replace(/\.hopscope-instance$/, ''),
    source: async () => ({
      kind: 'instance',
      uri,
      prompt: (await builtInPrompt(extensionUri, environment)) ?? null,
    }),
  };
}

function fromTranscript(document: vscode.TextDocument): Target {
  return {
    title: document.uri.path.split('/').at(-1) ?? 'Transcript',
    source: () => transcriptSource(document),
  };
}

async function transcriptSource(document: vscode.TextDocument): Promise<SessionSource> {
  const text = document.getText();
  // Named relative to the transcript in its front matter.
  const [, named] = /^prompt: *["']?([^"'\n]+?)["']? *$/m.exec(text.slice(0, 4000)) ?? [];
  const file = named === undefined ? undefined : vscode.Uri.joinPath(document.uri, '..', named);
  const prompt = (file && document.uri.scheme !== 'untitled' && (await readPrompt(file))) || null;
  return { kind: 'transcript', uri: document.uri.toString(), text, prompt };
}
