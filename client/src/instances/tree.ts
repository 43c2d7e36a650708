/** The tree of the Instances view: environment > split > instance, and the files of instances that were opened. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type {
  EnvironmentInfo,
  InstanceFilter,
  InstancePage,
  InstanceRow,
  InstanceSource,
  SplitInfo,
} from '../../../server/src/protocol.ts';
import { ask } from '../language-client.ts';
import { fileName } from './source-file.ts';

/** A split or a file, which has instances. */
export type SourceNode =
  | { readonly kind: 'split'; readonly environment: EnvironmentInfo; readonly split: SplitInfo }
  | { readonly kind: 'file'; readonly file: vscode.Uri };

export interface InstanceNode {
  readonly kind: 'instance';
  readonly of: SourceNode;
  readonly row: InstanceRow;
}

export type Node =
  | { readonly kind: 'environment'; readonly environment: EnvironmentInfo }
  | SourceNode
  | InstanceNode
  | { readonly kind: 'more'; readonly of: SourceNode; readonly shown: number; readonly total: number }
  | { readonly kind: 'note'; readonly text: string; readonly isError: boolean }
  | { readonly kind: 'getData'; readonly set: string };

/** Instances of one page. */
const PAGE = 100;

/** Source as the server knows it. */
export function sourceOf(node: SourceNode): InstanceSource {
  if (node.kind === 'file') return { file: node.file.toString() };
  return { environment: node.environment.id, split: node.split.id };
}

export function nameOf(node: SourceNode): string {
  return node.kind === 'file' ? fileName(node.file) : node.split.id;
}

export class InstanceTree implements vscode.TreeDataProvider<Node> {
  readonly #client: LanguageClient;
  readonly #changes = new vscode.EventEmitter<Node | undefined>();
  /** Pages that are shown of a source; one more is read when it is asked for. */
  readonly #pages = new Map<string, { pages: InstancePage[] }>();
  /** One object per source: the view tells nodes apart by identity. */
  readonly #sources = new Map<string, SourceNode>();
  #files: readonly vscode.Uri[] = [];
  /** Files that the person has just opened: they show what they hold at once. */
  readonly #justOpened = new Set<string>();
  #filter: InstanceFilter = {};
  readonly onDidChangeTreeData = this.#changes.event;

  constructor(client: LanguageClient) {
    this.#client = client;
  }

  get files(): readonly vscode.Uri[] {
    return this.#files;
  }

  set files(files: readonly vscode.Uri[]) {
    this.#files = files;
    this.#changes.fire(undefined);
  }

  /** Shows what is in a file as soon as the file is shown. */
  expandFile(file: vscode.Uri): void {
    this.#justOpened.add(file.toString());
  }

  get filter(): InstanceFilter {
    return this.#filter;
  }

  set filter(filter: InstanceFilter) {
    this.#filter = filter;
    this.refresh();
  }

  /** Reads everything again, from the first page on. */
  refresh(): void {
    this.#pages.clear();
    this.#changes.fire(undefined);
  }

  /** Reads a file's instances again. */
  refreshFile(file: vscode.Uri): void {
    const node = this.#source({ kind: 'file', file });
    this.#pages.delete(keyOf(node));
    this.#changes.fire(node);
  }

  /** Shows one more page of a source. */
  async showMore(node: SourceNode): Promise<void> {
    const known = this.#pages.get(keyOf(node));
    const from = known?.pages.at(-1)?.next;
    if (!known || typeof from !== 'number') return;
    const page = await this.#read(node, from);
    if (page.ok) known.pages.push(page.value);
    else void vscode.window.showErrorMessage(page.error);
    this.#changes.fire(node);
  }

  /** Splits of all environments and the opened files. */
  async sources(): Promise<readonly SourceNode[]> {
    const environments = await ask(this.#client, 'hopscope/environments', null);
    return [...environments.flatMap((environment) => this.#splits(environment)), ...this.#fileNodes()];
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) {
      const environments = await ask(this.#client, 'hopscope/environments', null);
      // Files first: they were opened on purpose, and an environment may show thousands of rows.
      return [
        ...this.#fileNodes(),
        ...environments.map((environment): Node => ({ kind: 'environment', environment })),
      ];
    }
    if (node.kind === 'environment') return this.#splits(node.environment);
    if (node.kind === 'split' || node.kind === 'file') return this.#instances(node);
    return [];
  }

  /** Asked for when a node is to be revealed, which only files are. */
  getParent(node: Node): Node | undefined {
    return node.kind === 'instance' || node.kind === 'more' ? node.of : undefined;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'environment':
        return environmentItem(node.environment);
      case 'split':
        return splitItem(node.split);
      case 'file':
        return fileItem(node.file, this.#justOpened.has(node.file.toString()));
      case 'instance':
        return instanceItem(node);
      case 'more':
        return moreItem(node);
      case 'note':
        return noteItem(node.text, node.isError);
      case 'getData':
        return getDataItem(node.set);
    }
  }

  #splits(environment: EnvironmentInfo): SourceNode[] {
    return environment.splits.map((split) => this.#source({ kind: 'split', environment, split }));
  }

  #fileNodes(): SourceNode[] {
    return this.#files.map((file) => this.#source({ kind: 'file', file }));
  }

  #source(node: SourceNode): SourceNode {
    const key = keyOf(node);
    const known = this.#sources.get(key) ?? node;
    this.#sources.set(key, known);
    return known;
  }

  async #instances(node: SourceNode): Promise<Node[]> {
    const key = keyOf(node);
    let known = this.#pages.get(key);
    if (!known) {
      const first = await this.#read(node, 0);
      if (!first.ok) {
        return [{ kind: 'note', text: first.error, isError: true }, ...(await this.#missingData(node))];
      }
      known = { pages: [first.value] };
      this.#pages.set(key, known);
    }
    const rows = known.pages.flatMap((page) => page.rows);
    const last = known.pages.at(-1);
    const instances = rows.map((row): Node => ({ kind: 'instance', of: node, row }));
    if (last && last.next !== null) {
      return [...instances, { kind: 'more', of: node, shown: rows.length, total: last.total }];
    }
    if (rows.length > 0) return instances;
    return [{ kind: 'note', text: 'No instance matches the filter.', isError: false }];
  }

  /** What would help where data are missing. */
  async #missingData(node: SourceNode): Promise<Node[]> {
    if (node.kind === 'file') return [];
    const data = await ask(this.#client, 'hopscope/data', null);
    const missing = data.filter((it) => it.environment === node.environment.id && !it.isHere);
    return missing.map(({ set }): Node => ({ kind: 'getData', set }));
  }

  #read(node: SourceNode, from: number) {
    const source = sourceOf(node);
    return ask(this.#client, 'hopscope/listInstances', { source, from, count: PAGE, filter: this.#filter });
  }
}

function keyOf(node: SourceNode): string {
  return JSON.stringify(sourceOf(node));
}

function environmentItem({ title, description }: EnvironmentInfo): vscode.TreeItem {
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `environment ${title}`;
  item.tooltip = description;
  item.iconPath = new vscode.ThemeIcon('compass');
  item.contextValue = 'environment';
  return item;
}

function splitItem({ id, description, size, test }: SplitInfo): vscode.TreeItem {
  const item = new vscode.TreeItem(id, vscode.TreeItemCollapsibleState.Collapsed);
  item.description = `${size.toLocaleString('en')} instances${test ? ', test' : ''}`;
  item.tooltip = test ? `${description}\n\nA test split: do not iterate on it.` : description;
  item.iconPath = new vscode.ThemeIcon(test ? 'lock' : 'library');
  item.contextValue = 'split';
  return item;
}

function fileItem(file: vscode.Uri, isExpanded: boolean): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(fileName(file), isExpanded ? Expanded : Collapsed);
  item.id = `file ${file.toString()}`;
  item.description = vscode.workspace.asRelativePath(vscode.Uri.joinPath(file, '..'));
  item.tooltip = file.scheme === 'file' ? file.fsPath : file.toString();
  item.iconPath = new vscode.ThemeIcon('json');
  item.contextValue = 'file';
  return item;
}

function instanceItem({ row }: InstanceNode): vscode.TreeItem {
  const uri = vscode.Uri.parse(row.uri);
  const item = new vscode.TreeItem(row.id);
  item.description = row.description;
  item.tooltip = `${row.id}\n${row.description}`;
  item.iconPath = new vscode.ThemeIcon('book');
  item.contextValue = 'instance';
  item.command = { title: 'Open', command: 'vscode.open', arguments: [uri] };
  return item;
}

function moreItem({ of, shown, total }: Node & { kind: 'more' }): vscode.TreeItem {
  const item = new vscode.TreeItem('more…');
  item.description = `${shown.toLocaleString('en')} shown, ${total.toLocaleString('en')} in all`;
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { title: 'Show More', command: 'hopscope.instances.more', arguments: [of] };
  return item;
}

function getDataItem(set: string): vscode.TreeItem {
  const item = new vscode.TreeItem('Get Data…');
  item.iconPath = new vscode.ThemeIcon('cloud-download');
  item.command = { title: 'Get Data', command: 'hopscope.getData', arguments: [set] };
  return item;
}

function noteItem(text: string, isError: boolean): vscode.TreeItem {
  const item = new vscode.TreeItem(text);
  item.tooltip = text;
  item.iconPath = new vscode.ThemeIcon(isError ? 'warning' : 'info');
  return item;
}
