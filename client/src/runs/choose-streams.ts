/** Asking which method learns from which streams. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { RunChoices } from '../../../server/src/protocol.ts';
import { isOwnMethod, type StreamChoice } from './choice.ts';
import type { Asking } from './choose.ts';

type Streams = NonNullable<RunChoices['streams']>;

interface MethodItem extends vscode.QuickPickItem {
  /** Undefined for a file that is still to be chosen. */
  readonly method?: string;
}

/** Why a method of one's own is not run here, as a sentence; undefined when it is. */
export function whyNoOwnMethod(): string | undefined {
  if (vscode.workspace.isTrusted) return undefined;
  return 'A method in a file is code that runs with your rights, so it needs a workspace that you trust.';
}

/** The method first, then the streams: what was chosen last comes first. */
export async function chooseStreams(
  asking: Asking,
  { environment, streams }: { readonly environment: { readonly id: string }; readonly streams: Streams },
): Promise<StreamChoice | undefined> {
  const last = asking.last?.instances;
  const earlier = last && 'streams' in last ? last : undefined;
  const method = await chooseMethod(asking, streams, earlier?.method);
  if (method === undefined) return undefined;
  const chosen = await chooseList(asking, streams, earlier?.streams);
  return chosen && { environment: environment.id, method, streams: chosen };
}

async function chooseMethod(
  { title }: Asking,
  { methods }: Streams,
  last: string | undefined,
): Promise<string | undefined> {
  const own = whyNoOwnMethod();
  const items: MethodItem[] = [
    ...methods.map(({ id, description }) => ({
      label: `$(mortar-board) ${id}`,
      detail: description,
      method: id,
    })),
    ...(last !== undefined && isOwnMethod(last)
      ? [{ label: `$(file-code) ${path.basename(last)}`, description: last, method: last }]
      : []),
    {
      label: '$(file-code) A file of your own…',
      detail: own ?? 'A module whose default export has start, context and update. It is run.',
    },
  ];
  const again = items.find(({ method }) => method !== undefined && method === last);
  const sorted = again
    ? [{ ...again, description: 'last time' }, ...items.filter((it) => it !== again)]
    : items;
  const picked = await vscode.window.showQuickPick(sorted, {
    title,
    placeHolder: 'Which method learns',
    matchOnDetail: true,
  });
  if (!picked) return undefined;
  if (picked.method !== undefined) return picked.method;
  if (own !== undefined) {
    void vscode.window.showWarningMessage(own);
    return undefined;
  }
  return chooseFile(title);
}

/** A JavaScript file of the workspace. */
async function chooseFile(title: string): Promise<string | undefined> {
  const found = await vscode.workspace.findFiles(
    '**/*.{mjs,js,cjs}',
    '**/{node_modules,.git,dist,out}/**',
    500,
  );
  const items = found
    // The command takes several methods, separated by commas.
    .filter(({ fsPath }) => !fsPath.includes(','))
    .map((uri) => ({
      label: path.basename(uri.fsPath),
      description: vscode.workspace.asRelativePath(uri),
      file: uri.fsPath,
    }))
    .sort((a, b) => (a.description < b.description ? -1 : 1));
  if (items.length === 0) {
    void vscode.window.showWarningMessage(
      'There is no JavaScript file in this workspace that could be a method.',
    );
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: 'File with the method',
    matchOnDescription: true,
  });
  return picked?.file;
}

interface SizeItem extends vscode.QuickPickItem {
  readonly streams: readonly string[] | undefined;
}

async function chooseList(
  { title }: Asking,
  { list }: Streams,
  last: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  const tasks = (streams: Streams['list']) => {
    const sum = (phase: 'serving' | 'test') =>
      streams.reduce((total, it) => total + it[phase], 0).toLocaleString('en');
    return `${sum('serving')} serving and ${sum('test')} test tasks`;
  };
  // Small ones are what one begins with.
  const sizes = [...new Set(list.map(({ size }) => size))].reverse();
  const items = sizes.map((size): SizeItem => {
    const own = list.filter((it) => it.size === size);
    return {
      label: `$(layers) ${size}`,
      description: `${own.length} streams`,
      detail: `${own.map(({ id }) => id).join(', ')}: ${tasks(own)}.`,
      streams: own.map(({ id }) => id),
    };
  });
  const picked = await vscode.window.showQuickPick<SizeItem>(
    [
      ...items,
      { label: '$(checklist) Choose streams…', detail: 'Some of them, of one size.', streams: undefined },
    ],
    { title, placeHolder: 'On which streams', matchOnDetail: true },
  );
  if (!picked) return undefined;
  if (picked.streams) return picked.streams;
  const chosen = await vscode.window.showQuickPick(
    list.map((it) => ({
      label: it.id,
      description: `${it.title}, ${it.windows} windows`,
      detail: tasks([it]),
      picked: last?.includes(it.id) ?? false,
    })),
    { title, placeHolder: 'Streams, of one size', canPickMany: true },
  );
  if (!chosen || chosen.length === 0) return undefined;
  const ids = chosen.map(({ label }) => label);
  if (new Set(list.filter(({ id }) => ids.includes(id)).map(({ size }) => size)).size > 1) {
    void vscode.window.showWarningMessage(
      'Streams of different sizes are never in one average: choose those of one.',
    );
    return undefined;
  }
  return ids;
}
