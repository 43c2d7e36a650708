/** The `hopscope:` file system: read-only documents that the server generates when they are read. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { ask } from './language-client.ts';

/**
 * A file system rather than a mere provider of contents: editors of it come back after a reload of the window, and
 * the workbench knows them to be read-only.
 */
export class InstanceFiles implements vscode.FileSystemProvider {
  readonly #client: LanguageClient;
  /** Never fires: the same address always holds the same text. */
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;

  constructor(client: LanguageClient) {
    this.#client = client;
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const read = await ask(this.#client, 'hopscope/readInstance', { uri: uri.toString() });
    if (!read.ok) throw vscode.FileSystemError.Unavailable(read.error);
    return new TextEncoder().encode(read.value);
  }

  /** Every address could be a file; whether it is one shows when it is read. Contents never change, nor does this. */
  stat(): vscode.FileStat {
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: 0,
      size: 0,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
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

function readOnly(): vscode.FileSystemError {
  return vscode.FileSystemError.NoPermissions('Instances are generated and cannot be changed.');
}
