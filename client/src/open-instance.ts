/** "Hopscope: Open Instance…": which split, which index, then a read-only editor. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { EnvironmentInfo, InstanceSelector, SplitInfo } from '../../server/src/protocol.ts';
import { ask } from './language-client.ts';

/** Workspace state: what was opened last is offered first. */
const LAST = 'openInstance.last';

interface SplitItem extends vscode.QuickPickItem {
  readonly environment: EnvironmentInfo;
  readonly split: SplitInfo;
}

/**
 * Asks for an instance and opens it.
 *
 * @returns the editor, or undefined when the person thought better of it.
 */
export async function openInstance(
  client: LanguageClient,
  memory: vscode.Memento,
): Promise<vscode.TextEditor | undefined> {
  const selector = await pickInstance(client, memory, 'Open Instance');
  if (!selector) return undefined;
  const located = await ask(client, 'hopscope/locateInstance', selector);
  if (!located.ok) {
    void vscode.window.showErrorMessage(located.error);
    return undefined;
  }
  return vscode.window.showTextDocument(vscode.Uri.parse(located.value.uri), { preview: false });
}

/** Asks for an instance under `title`; the one that was picked last is offered first. */
export async function pickInstance(
  client: LanguageClient,
  memory: vscode.Memento,
  title: string,
): Promise<InstanceSelector | undefined> {
  const last = memory.get<InstanceSelector>(LAST);
  const picked = await pickSplit(await ask(client, 'hopscope/environments', null), last, title);
  if (!picked) return undefined;
  const environment = picked.environment.id;
  const split = picked.split.id;
  const proposed = last?.environment === environment && last.split === split ? last.index : 0;
  const selector = await askIndex(client, { environment, split, index: proposed }, picked.split, title);
  if (selector) await memory.update(LAST, selector);
  return selector;
}

async function pickSplit(
  environments: readonly EnvironmentInfo[],
  last: InstanceSelector | undefined,
  title: string,
): Promise<SplitItem | undefined> {
  const items = environments.flatMap((environment) =>
    environment.splits.map(
      (split): SplitItem => ({
        label: split.id,
        description: `${environment.title}, ${split.size} instances`,
        detail: split.description,
        environment,
        split,
      }),
    ),
  );
  const isLast = (item: SplitItem) =>
    item.environment.id === last?.environment && item.split.id === last.split;
  items.sort((a, b) => Number(isLast(b)) - Number(isLast(a))); // a stable sort: the others keep their order
  return vscode.window.showQuickPick(items, {
    title,
    placeHolder: 'Environment and split',
    matchOnDescription: true,
  });
}

/** Asks for an index until there is an instance at it. */
async function askIndex(
  client: LanguageClient,
  proposed: InstanceSelector,
  split: SplitInfo,
  title: string,
): Promise<InstanceSelector | undefined> {
  const value = await vscode.window.showInputBox({
    title: `${title} of ${split.id}`,
    prompt: split.finite
      ? `Index from 0 to ${split.size - 1}.`
      : `Index from 0. The published split ends at ${split.size - 1}; higher indices give fresh instances.`,
    value: String(proposed.index),
    validateInput: async (text) => {
      if (!/^\s*\d+\s*$/.test(text)) return 'An index is a whole number from 0 on.';
      const located = await ask(client, 'hopscope/locateInstance', { ...proposed, index: Number(text) });
      return located.ok ? undefined : located.error;
    },
  });
  return value === undefined ? undefined : { ...proposed, index: Number(value) };
}
