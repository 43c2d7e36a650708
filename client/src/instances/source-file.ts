/** Files that instances come from. */
import * as vscode from 'vscode';

/** The file that the instance at a `hopscope:` address is in; undefined for a generated one. */
export function sourceFile({ query }: vscode.Uri): vscode.Uri | undefined {
  if (!query) return undefined;
  try {
    const said: unknown = JSON.parse(query);
    const file: unknown = typeof said === 'object' && said !== null ? Reflect.get(said, 'file') : undefined;
    return typeof file === 'string' ? vscode.Uri.parse(file, true) : undefined;
  } catch {
    return undefined; // not ours
  }
}

/** The last part of a path. */
export function fileName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
