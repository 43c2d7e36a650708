/** The Instances view and everything that a person can do with instances but open one by its place in a split. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { onDataChanged } from '../data/folder.ts';
import { ask } from '../language-client.ts';
import { registerCompare } from './compare.ts';
import { registerDecorations } from './decorations.ts';
import { examine } from './examine.ts';
import { OpenedFiles } from './files.ts';
import { describeFilter, pickFilter } from './filter.ts';
import { registerReveal } from './reveal.ts';
import { registerSpoilers } from './spoilers.ts';
import { type InstanceNode, InstanceTree, nameOf, type SourceNode, sourceOf } from './tree.ts';

/** Context key: whether the view shows less than there is. */
const FILTERED = 'hopscope.instances.filtered';

export function registerInstances(client: LanguageClient, memory: vscode.Memento): vscode.Disposable {
  const tree = new InstanceTree(client);
  const files = new OpenedFiles(memory, tree);
  const view = vscode.window.createTreeView('hopscope.instances', {
    treeDataProvider: tree,
    showCollapseAll: true,
  });
  let output: vscode.OutputChannel | undefined;

  async function filter(): Promise<void> {
    await pickFilter(client, tree);
    await showFilter();
  }

  async function showFilter(): Promise<void> {
    const text = await describeFilter(client, tree, tree.filter);
    view.message = text ?? '';
    await vscode.commands.executeCommand('setContext', FILTERED, text !== undefined);
  }

  async function openFile(first?: vscode.Uri, all?: readonly vscode.Uri[]): Promise<void> {
    const given = all && all.length > 0 ? all : first ? [first] : undefined;
    // A view that is not shown does not learn of new nodes, and could not reveal one.
    await vscode.commands.executeCommand('hopscope.instances.focus');
    const file = await files.add(given);
    const node = file && (await tree.sources()).find((source) => isOf(source, file));
    if (node) await view.reveal(node, { expand: true, focus: true });
  }

  function examineNode(node: SourceNode | InstanceNode, audit: boolean): Promise<void> {
    output ??= vscode.window.createOutputChannel('Hopscope Instances');
    const [of, position, name] =
      node.kind === 'instance' ? [node.of, node.row.position, node.row.id] : [node, null, nameOf(node)];
    return examine(client, output, { source: sourceOf(of), position, audit, name });
  }

  const commands: Readonly<Record<string, (...given: never[]) => unknown>> = {
    filter,
    async clearFilter() {
      tree.filter = {};
      await showFilter();
    },
    refresh: () => tree.refresh(),
    openById: () => openById(client, tree),
    openFile: () => openFile(),
    showFile: (first?: vscode.Uri, all?: readonly vscode.Uri[]) => openFile(first, all),
    removeFile: (node: SourceNode) => (node.kind === 'file' ? files.remove(node.file) : undefined),
    more: (node: SourceNode) => tree.showMore(node),
    validate: (node: SourceNode | InstanceNode) => examineNode(node, false),
    audit: (node: SourceNode) => examineNode(node, true),
  };
  return vscode.Disposable.from(
    view,
    onDataChanged(() => tree.refresh()),
    files,
    new vscode.Disposable(() => output?.dispose()),
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(`hopscope.instances.${name}`, run),
    ),
    registerCompare(client),
    registerDecorations(client),
    registerReveal(),
    registerSpoilers(),
  );
}

function isOf(source: SourceNode, file: vscode.Uri): boolean {
  return source.kind === 'file' && source.file.toString() === file.toString();
}

/** Asks for an id until there is an instance of it, and opens that. */
async function openById(client: LanguageClient, tree: InstanceTree): Promise<vscode.TextEditor | undefined> {
  const find = (id: string) =>
    ask(client, 'hopscope/findInstance', { id: id.trim(), files: tree.files.map(String) });
  const id = await vscode.window.showInputBox({
    title: 'Open Instance by Id',
    prompt: 'Of a generated instance or of one in a file of the Instances view.',
    placeHolder: 'hs1-train-17',
    validateInput: async (text) => {
      if (text.trim() === '') return undefined;
      const found = await find(text);
      return found.ok ? undefined : found.error;
    },
  });
  if (!id?.trim()) return undefined;
  const found = await find(id);
  if (found.ok) return vscode.window.showTextDocument(vscode.Uri.parse(found.value.uri), { preview: false });
  void vscode.window.showErrorMessage(found.error);
  return undefined;
}
