/** Starting the headless command of this extension, with the key for the endpoint that it asks. */
import os from 'node:os';
import * as vscode from 'vscode';
import { dataVariables } from '../data/folder.ts';
import type { Keys } from '../models/keys.ts';
import { type Child, type ChildEnd, startChild } from './child.ts';

export interface CommandChoice {
  readonly args: readonly string[];
  /** Folder that relative paths are meant from; the person's own by default. */
  readonly cwd?: string;
  /** Where the models are; undefined when none is asked. */
  readonly baseUrl?: string | undefined;
  readonly line?: (value: Readonly<Record<string, unknown>>) => void;
}

export class Command {
  readonly #script: string;
  readonly #keys: Keys;
  readonly #running = new Set<Child>();

  constructor(context: vscode.ExtensionContext, keys: Keys) {
    this.#script = context.asAbsolutePath('dist/cli.js');
    this.#keys = keys;
  }

  /** Starts it. The key of the endpoint's origin goes along in the environment, and no other. */
  async start({ args, cwd = os.homedir(), baseUrl, line = () => undefined }: CommandChoice): Promise<Child> {
    if (!vscode.workspace.isTrusted) throw new Error('The workspace is not trusted.');
    const key = baseUrl === undefined ? undefined : await this.#keys.keyFor(baseUrl);
    const endpoint = baseUrl === undefined ? undefined : { baseUrl, key };
    const child = startChild({
      script: this.#script,
      args,
      cwd,
      endpoint,
      variables: dataVariables(),
      line,
    });
    this.#running.add(child);
    void child.end.then(() => this.#running.delete(child));
    return child;
  }

  /** Runs it to its end, or to that of `token`, and gives its lines as well. */
  async run(
    choice: Omit<CommandChoice, 'line'>,
    token?: vscode.CancellationToken,
  ): Promise<ChildEnd & { readonly lines: readonly Readonly<Record<string, unknown>>[] }> {
    const lines: Readonly<Record<string, unknown>>[] = [];
    const child = await this.start({ ...choice, line: (value) => lines.push(value) });
    const listening = token?.onCancellationRequested(() => child.kill());
    const end = await child.end;
    listening?.dispose();
    return { ...end, lines };
  }

  /** Ends whatever still runs; runs can be gone on with. */
  dispose(): void {
    for (const child of this.#running) child.leave();
  }
}

/** What went wrong, in the command's own words. */
export function sentenceOf({ code, notes }: ChildEnd): string {
  const said = notes.at(-1);
  if (said !== undefined) return said;
  return code === null ? 'The command was ended.' : `The command ended with exit code ${code}.`;
}
