/** What endpoints and models there are to choose from, as the headless command says. */
import type * as vscode from 'vscode';
import { isObject } from '../runs/child.ts';
import { type Command, sentenceOf } from '../runs/command.ts';

/** An endpoint that has a name, such as a server on one's own machine. */
export interface Preset {
  readonly title: string;
  readonly baseUrl: string;
  readonly needsKey: boolean;
  readonly hint: string;
}

export interface ListedModel {
  readonly id: string;
  /** Longest prompt and reply together, in the model's tokens; undefined when the endpoint does not say. */
  readonly context: number | undefined;
}

export async function listPresets(command: Command): Promise<readonly Preset[]> {
  const { lines } = await command.run({ args: ['models', '--json'] });
  return objectsIn(lines[0]?.['presets']).flatMap(({ title, baseUrl, needsKey, hint }): Preset[] =>
    typeof title === 'string' && typeof baseUrl === 'string' && typeof hint === 'string'
      ? [{ title, baseUrl, hint, needsKey: needsKey === true }]
      : [],
  );
}

export type ModelList =
  /** `baseUrl` in its one spelling. */
  | { readonly ok: true; readonly baseUrl: string; readonly models: readonly ListedModel[] }
  | { readonly ok: false; readonly error: string };

/** The models of an endpoint; the error says why it does not tell. */
export async function listModels(
  command: Command,
  baseUrl: string,
  token?: vscode.CancellationToken,
): Promise<ModelList> {
  const ended = await command.run({ args: ['models', '--base-url', baseUrl, '--json'], baseUrl }, token);
  const [line] = ended.lines;
  const url = line?.['baseUrl'];
  if (ended.code !== 0 || typeof url !== 'string') return { ok: false, error: sentenceOf(ended) };
  const models = objectsIn(line?.['models']).flatMap(({ id, context }): ListedModel[] =>
    typeof id === 'string' ? [{ id, context: typeof context === 'number' ? context : undefined }] : [],
  );
  return { ok: true, baseUrl: url, models };
}

function objectsIn(list: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
