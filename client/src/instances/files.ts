/** Files of instances that a person has opened: remembered for the workspace, watched, shown in the Instances view. */
import * as vscode from 'vscode';
import { fileName } from './source-file.ts';
import type { InstanceTree } from './tree.ts';

/** Workspace state: addresses of the files. */
const OPENED = 'instances.files';

export class OpenedFiles implements vscode.Disposable {
  readonly #memory: vscode.Memento;
  readonly #tree: InstanceTree;
  readonly #watchers = new Map<string, vscode.Disposable>();

  constructor(memory: vscode.Memento, tree: InstanceTree) {
    this.#memory = memory;
    this.#tree = tree;
    this.#show(memory.get<string[]>(OPENED, []).map((address) => vscode.Uri.parse(address)));
  }

  /** Adds files, those of a dialog when none are given. @returns the last one. */
  async add(given: readonly vscode.Uri[] | undefined): Promise<vscode.Uri | undefined> {
    const files =
      given ??
      (await vscode.window.showOpenDialog({
        title: 'Open a File of Instances',
        openLabel: 'Open',
        canSelectMany: true,
        filters: { 'Instances, one JSON object a line': ['jsonl', 'ndjson', 'json'], 'All files': ['*'] },
      }));
    if (!files || files.length === 0) return undefined;
    const known = new Set(this.#tree.files.map(String));
    for (const file of files) this.#tree.expandFile(file);
    await this.#keep([...this.#tree.files, ...files.filter((file) => !known.has(file.toString()))]);
    return files.at(-1);
  }

  /** Takes a file out of the view; it stays on the disk. */
  remove(file: vscode.Uri): Promise<void> {
    return this.#keep(this.#tree.files.filter((other) => other.toString() !== file.toString()));
  }

  dispose(): void {
    for (const watcher of this.#watchers.values()) watcher.dispose();
  }

  async #keep(files: readonly vscode.Uri[]): Promise<void> {
    this.#show(files);
    await this.#memory.update(OPENED, files.map(String));
  }

  #show(files: readonly vscode.Uri[]): void {
    const wanted = new Set(files.map(String));
    for (const [address, watcher] of this.#watchers) {
      if (wanted.has(address)) continue;
      watcher.dispose();
      this.#watchers.delete(address);
    }
    for (const file of files) {
      if (!this.#watchers.has(file.toString())) this.#watchers.set(file.toString(), this.#watch(file));
    }
    this.#tree.files = files;
  }

  #watch(file: vscode.Uri): vscode.Disposable {
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(file, '..'), fileName(file));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const changed = () => this.#tree.refreshFile(file);
    watcher.onDidChange(changed);
    watcher.onDidCreate(changed);
    watcher.onDidDelete(changed);
    return watcher;
  }
}
