/** The `hopscope:` file system: read-only documents that the server makes when they are read. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { fileName, sourceFile } from './instances/source-file.ts';
import { ask } from './language-client.ts';

/**
 * A file system rather than a mere provider of contents: editors of it come back after a reload of the window, and
 * the workbench knows them to be read-only.
 */
export class InstanceFiles implements vscode.FileSystemProvider {
  readonly #client: LanguageClient;
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  /** Files that the person has been told are gone. */
  readonly #gone = new Set<string>();
  /** Only instances in files ever change: any other address always holds the same text. */
  readonly onDidChangeFile = this.#changes.event;

  constructor(client: LanguageClient) {
    this.#client = client;
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const read = await ask(this.#client, 'hopscope/readInstance', { uri: uri.toString() });
    if (!read.ok) throw vscode.FileSystemError.Unavailable(read.error);
    return new TextEncoder().encode(read.value);
  }

  /**
   * Every address could be a file; whether it is one shows when it is read. Generated instances never change, others do
   * with the file that they are in.
   */
  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const file = sourceFile(uri);
    const { ctime, mtime } = file ? await statOf(file) : { ctime: 0, mtime: 0 };
    return { type: vscode.FileType.File, ctime, mtime, size: 0, permissions: vscode.FilePermission.Readonly };
  }

  watch(uri: vscode.Uri): vscode.Disposable {
    const file = sourceFile(uri);
    if (!file) return new vscode.Disposable(() => {});
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(file, '..'), fileName(file));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const changed = () => {
      this.#gone.delete(file.toString());
      this.#changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    };
    watcher.onDidChange(changed);
    watcher.onDidCreate(changed);
    watcher.onDidDelete(() => {
      this.#changes.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
      this.#tellOnce(file);
    });
    return watcher;
  }

  #tellOnce(file: vscode.Uri): void {
    if (this.#gone.has(file.toString())) return;
    this.#gone.add(file.toString());
    void vscode.window.showWarningMessage(`${fileName(file)} is gone; its open instances stay as they are.`);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(): never {
    throw readOnly();
  }

  writeFile(): never {
    throw readOnly();
  }

  delete(): never {
    throw readOnly();
  }

  rename(): never {
    throw readOnly();
  }
}

async function statOf(file: vscode.Uri): Promise<vscode.FileStat> {
  try {
    return await vscode.workspace.fs.stat(file);
  } catch {
    throw vscode.FileSystemError.Unavailable(`${fileName(file)} is gone: it was deleted or moved.`);
  }
}

function readOnly(): vscode.FileSystemError {
  return vscode.FileSystemError.NoPermissions('Instances cannot be changed.');
}
