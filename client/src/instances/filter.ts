/** "Filter Instances…": which hops and sizes the Instances view shows. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { InstanceFilter, InstanceGroups } from '../../../server/src/protocol.ts';
import { ask } from '../language-client.ts';
import { type InstanceTree, sourceOf } from './tree.ts';

interface ValueItem extends vscode.QuickPickItem {
  readonly group?: string;
  readonly value?: string | number;
}

/** Asks for the values to show; all of a group when none is picked. */
export async function pickFilter(client: LanguageClient, tree: InstanceTree): Promise<void> {
  const groups = await vscode.window.withProgress({ location: { viewId: 'hopscope.instances' } }, () =>
    readGroups(client, tree),
  );
  if (groups.length === 0) {
    void vscode.window.showInformationMessage('There is nothing to filter by.');
    return;
  }
  const items = groups.flatMap(({ id, label, values }): ValueItem[] => [
    { label, kind: vscode.QuickPickItemKind.Separator },
    ...values.map(({ value, count }) => ({
      label: `${text(value)} ${label}`,
      description: `${text(count)} ${count === 1 ? 'instance' : 'instances'}`,
      picked: tree.filter[id]?.includes(value) ?? false,
      group: id,
      value,
    })),
  ]);
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Filter Instances',
    placeHolder: 'What to show; nothing picked shows all',
    canPickMany: true,
  });
  if (!picked) return;
  const filter: Record<string, (string | number)[]> = {};
  for (const { group, value } of picked) {
    if (group === undefined || value === undefined) continue;
    filter[group] = [...(filter[group] ?? []), value];
  }
  tree.filter = filter;
}

/** The filter in words, to stand above the tree; undefined when everything is shown. */
export async function describeFilter(
  client: LanguageClient,
  tree: InstanceTree,
  filter: InstanceFilter,
): Promise<string | undefined> {
  if (Object.keys(filter).length === 0) return undefined;
  const groups = await readGroups(client, tree);
  const parts = Object.entries(filter).map(([id, values]) => {
    const label = groups.find((group) => group.id === id)?.label ?? id;
    return `${values.map(text).join(' or ')} ${label}`;
  });
  return `Only ${parts.join(', ')}.`;
}

/** Groups of all sources, their values put together. A source that cannot be read is left out. */
async function readGroups(client: LanguageClient, tree: InstanceTree): Promise<readonly InstanceGroups[]> {
  const groups = new Map<string, { label: string; counts: Map<string | number, number> }>();
  for (const source of await tree.sources()) {
    const read = await ask(client, 'hopscope/instanceGroups', { source: sourceOf(source) });
    if (!read.ok) continue;
    for (const { id, label, values } of read.value) {
      const group = groups.get(id) ?? { label, counts: new Map<string | number, number>() };
      groups.set(id, group);
      for (const { value, count } of values) group.counts.set(value, (group.counts.get(value) ?? 0) + count);
    }
  }
  return Array.from(groups, ([id, { label, counts }]) => ({
    id,
    label,
    values: Array.from(counts, ([value, count]) => ({ value, count })).sort((a, b) =>
      order(a.value, b.value),
    ),
  }));
}

function order(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : 1;
}

function text(value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString('en') : value;
}
