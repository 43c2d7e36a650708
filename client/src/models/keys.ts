/**
 * API keys, one for each origin, in the editor's secret storage and nowhere else.
 *
 * A key is handed to a child process in its environment. It must be in no argument, setting, file or log, and in no message
 * to the language server either: a trace of the connection would show it.
 */
import type * as vscode from 'vscode';
import { originOf } from './endpoint.ts';

export class Keys {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  /** The key that may be sent to a base URL; undefined when there is none for its origin. */
  async keyFor(baseUrl: string): Promise<string | undefined> {
    const origin = originOf(baseUrl);
    return origin === undefined ? undefined : this.#secrets.get(nameOf(origin));
  }

  /** @param key undefined forgets the key of that origin. */
  async keep(origin: string, key: string | undefined): Promise<void> {
    if (key === undefined) await this.#secrets.delete(nameOf(origin));
    else await this.#secrets.store(nameOf(origin), key);
  }
}

function nameOf(origin: string): string {
  return `hopscope.key ${origin}`;
}

/** Why a text can be no key, since it could not be sent as a header; undefined when it can be one. */
export function keyProblem(text: string): string | undefined {
  const key = text.trim();
  if (key === '') return 'Paste a key, or press Escape to leave things as they are.';
  if (/^[\x21-\x7e]+$/.test(key)) return undefined;
  return 'A key has no blanks, line breaks or letters outside of ASCII; copy it again.';
}
