/** Who takes the next step, as the server is to be told. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { ChatMessage, SessionDriver } from '../../../server/src/protocol.ts';
import type { PageDriver, Setup } from '../../webview/episode/messages.ts';
import { areSpoilersShown } from '../instances/spoilers.ts';
import { ask } from '../language-client.ts';
import { readEndpoint } from '../models/endpoint.ts';
import type { Keys } from '../models/keys.ts';
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
      return editorDriver(context, token);
  }
}

async function endpointDriver({ keys }: DriverContext): Promise<FoundDriver> {
  if (!vscode.workspace.isTrusted) {
    return {
      problem:
        'This folder is not trusted, so nothing is sent to a model. Trust it, or choose another driver.',
    };
  }
  const endpoint = readEndpoint();
  if (!endpoint) {
    return { problem: 'No endpoint is set. Run "Hopscope: Select Model…", or choose another driver.' };
  }
  const key = await keys.keyFor(endpoint.baseUrl);
  return { driver: { kind: 'model', ...endpoint, key: key === undefined ? null : seal(key) } };
}

async function editorDriver(
  { client, session, said }: DriverContext,
  token: vscode.CancellationToken,
): Promise<FoundDriver> {
  if (!vscode.workspace.isTrusted) {
    return {
      problem:
        'This folder is not trusted, so nothing is sent to a model. Trust it, or choose another driver.',
    };
  }
  const [model] = await vscode.lm.selectChatModels();
  if (!model) return { problem: 'The editor offers no model now. Sign in to one, or choose another driver.' };
  const messages = await ask(client, 'hopscope/episode/messages', { session });
  if (!messages.ok) return { problem: messages.error };
  try {
    const response = await model.sendRequest(messages.value.map(toEditorMessage), {}, token);
    let text = '';
    for await (const piece of response.text) {
      text += piece;
      said(piece);
    }
    if (token.isCancellationRequested) return { problem: 'The step was cancelled.' };
    return { driver: { kind: 'given', event: { kind: 'reply', text }, by: model.name } };
  } catch (error) {
    if (token.isCancellationRequested) return { problem: 'The step was cancelled.' };
    const why = error instanceof Error ? error.message : String(error);
    return { problem: `${model.name} gave no reply: ${why} Try again, or choose another driver.` };
  }
}

/** The editor's models know no system messages. */
function toEditorMessage({ role, content }: ChatMessage): vscode.LanguageModelChatMessage {
  return role === 'assistant'
    ? vscode.LanguageModelChatMessage.Assistant(content)
    : vscode.LanguageModelChatMessage.User(content);
}

/** What a page has to know of the editor. @param named the model that the step prompt names */
export async function findSetup(session: string, named: string | null): Promise<Setup> {
  const endpoint = readEndpoint();
  const editorModels = await Promise.resolve(vscode.lm.selectChatModels()).catch(() => []);
  const model = endpoint && (endpoint.model || named || endpoint.baseUrl);
  return {
    session,
    spoilers: areSpoilersShown(),
    isTrusted: vscode.workspace.isTrusted,
    model: model ?? null,
    hasEditorModels: editorModels.length > 0,
  };
}
