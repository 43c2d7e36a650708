/** Who takes the next step, as the server is to be told. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { SessionDriver } from '../../../server/src/protocol.ts';
import type { PageDriver, Setup } from '../../webview/episode/messages.ts';
import { areSpoilersShown } from '../instances/spoilers.ts';
import { ask } from '../language-client.ts';
import { readEndpoint } from '../models/endpoint.ts';
import type { Keys } from '../models/keys.ts';
import { askEditorModel, editorModels } from './editor-models.ts';
import { seal } from './seal.ts';

/** A driver, or why it cannot drive: one or two sentences. */
export type FoundDriver = { readonly driver: SessionDriver } | { readonly problem: string };

export interface DriverContext {
  readonly client: LanguageClient;
  readonly keys: Keys;
  readonly session: string;
  /** Told what a model of the editor says, piece by piece. */
  said(text: string): void;
}

/** @param token cancels a model of the editor; others are cancelled with their request */
export async function findDriver(
  driver: PageDriver,
  context: DriverContext,
  token: vscode.CancellationToken,
): Promise<FoundDriver> {
  switch (driver.kind) {
    case 'policy':
    case 'you':
      return { driver };
    case 'model':
      return endpointDriver(context);
    case 'editor':
      return editorDriver(driver.id, context, token);
  }
}

const untrusted =
  'This folder is not trusted, so nothing is sent to a model. Trust it, or choose another driver.';

async function endpointDriver({ keys }: DriverContext): Promise<FoundDriver> {
  if (!vscode.workspace.isTrusted) return { problem: untrusted };
  const endpoint = readEndpoint();
  if (!endpoint) {
    return { problem: 'No endpoint is set. Run "Hopscope: Select Model…", or choose another driver.' };
  }
  const key = await keys.keyFor(endpoint.baseUrl);
  return { driver: { kind: 'model', ...endpoint, key: key === undefined ? null : seal(key) } };
}

async function editorDriver(
  id: string,
  { client, session, said }: DriverContext,
  token: vscode.CancellationToken,
): Promise<FoundDriver> {
  if (!vscode.workspace.isTrusted) return { problem: untrusted };
  const question = await ask(client, 'hopscope/episode/question', { session });
  if (!question.ok) return { problem: question.error };
  return askEditorModel(id, question.value, said, token);
}

/** What a page has to know of the editor. @param named the model that the step prompt names */
export async function findSetup(session: string, named: string | null): Promise<Setup> {
  const endpoint = readEndpoint();
  const model = endpoint && (endpoint.model || named || endpoint.baseUrl);
  return {
    session,
    spoilers: areSpoilersShown(),
    isTrusted: vscode.workspace.isTrusted,
    model: model ?? null,
    editorModels: await editorModels(),
  };
}
