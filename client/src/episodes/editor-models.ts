/** Models that the editor itself offers: which there are, and asking one for the next event of an episode. */
import * as vscode from 'vscode';
import type { ChatMessage, SessionDriver, SessionQuestion } from '../../../server/src/protocol.ts';

/** What is passed on of a piece that a model says, in UTF-16 code units: its end. */
const mostSaid = 20_000;

/** A model of the editor as a person chooses it. */
export interface EditorModel {
  readonly id: string;
  readonly name: string;
}

/** What the editor offers now; nothing when it cannot say. */
export async function editorModels(): Promise<readonly EditorModel[]> {
  const models = await Promise.resolve(vscode.lm.selectChatModels()).catch(() => []);
  return models.map(({ id, name, vendor }) => ({
    id,
    // Several vendors offer the same models.
    name: models.filter((other) => other.name === name).length > 1 ? `${name} (${vendor})` : name || id,
  }));
}

export type Answered = { readonly driver: SessionDriver } | { readonly problem: string };

/**
 * Asks the model of that id. Never rejects; the problem is one sentence or two. A model that does not heed the
 * cancellation is not waited for.
 *
 * @param said told what it says, piece by piece
 */
export async function askEditorModel(
  id: string,
  question: SessionQuestion,
  said: (text: string) => void,
  token: vscode.CancellationToken,
): Promise<Answered> {
  const cancelled = whenCancelled(token);
  let name = 'The model of the editor';
  try {
    const models = await Promise.race([vscode.lm.selectChatModels(), cancelled.promise]);
    const model = models.find((it) => it.id === id);
    if (!model) {
      return {
        problem: 'The editor does not offer this model now. Sign in to it, or choose another driver.',
      };
    }
    name = model.name || model.id;
    const request = model.sendRequest(question.messages.map(toEditorMessage), optionsOf(question), token);
    const parts = (await Promise.race([request, cancelled.promise])).stream[Symbol.asyncIterator]();
    let text = '';
    const calls: vscode.LanguageModelToolCallPart[] = [];
    for (;;) {
      const next = await Promise.race([parts.next(), cancelled.promise]);
      if (next.done) break;
      const part: unknown = next.value;
      if (part instanceof vscode.LanguageModelTextPart) {
        text += part.value;
        said(part.value.slice(-mostSaid));
      } else if (part instanceof vscode.LanguageModelToolCallPart) calls.push(part);
    }
    if (token.isCancellationRequested) return { problem: 'The step was cancelled.' };
    if (question.isVerdict) {
      return { driver: { kind: 'given', event: { kind: 'verdict', judge: name, value: text }, by: name } };
    }
    const toolCalls = calls.map((call) => ({
      id: call.callId,
      name: call.name,
      arguments: JSON.stringify(call.input),
    }));
    const event = { kind: 'reply', text, ...(toolCalls.length === 0 ? {} : { toolCalls }) } as const;
    return { driver: { kind: 'given', event, by: name } };
  } catch (error) {
    if (token.isCancellationRequested) return { problem: 'The step was cancelled.' };
    return { problem: problemOf(error, name) };
  } finally {
    cancelled.dispose();
  }
}

/** Rejects as soon as the wait is cancelled. */
function whenCancelled(token: vscode.CancellationToken) {
  let subscription: vscode.Disposable | undefined;
  const promise = new Promise<never>((_, reject) => {
    const cancel = () => reject(new vscode.CancellationError());
    if (token.isCancellationRequested) cancel();
    else subscription = token.onCancellationRequested(cancel);
  });
  promise.catch(() => {}); // it may fail while nobody waits
  return { promise, dispose: () => subscription?.dispose() };
}

function optionsOf({ tools, sampling }: SessionQuestion): vscode.LanguageModelChatRequestOptions {
  return {
    justification: 'Hopscope asks it for the next step of an episode.',
    modelOptions: { ...sampling },
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            name,
            description,
            inputSchema: parameters,
          })),
        }),
  };
}

/** The editor's models know no system messages. */
function toEditorMessage(message: ChatMessage): vscode.LanguageModelChatMessage {
  const { Assistant, User } = vscode.LanguageModelChatMessage;
  const { content } = message;
  if (message.role === 'tool') {
    const result = new vscode.LanguageModelTextPart(content);
    return User([new vscode.LanguageModelToolResultPart(message.toolCallId, [result])]);
  }
  if (message.role !== 'assistant') return User(content);
  const calls = (message.toolCalls ?? []).map(
    ({ id, name, arguments: given }) => new vscode.LanguageModelToolCallPart(id, name, inputOf(given)),
  );
  if (calls.length === 0) return Assistant(content);
  return Assistant([...(content === '' ? [] : [new vscode.LanguageModelTextPart(content)]), ...calls]);
}

/** What a model gave a tool may be no JSON, and the editor takes objects only. */
function inputOf(given: string): object {
  try {
    const input: unknown = JSON.parse(given);
    return typeof input === 'object' && input !== null ? input : {};
  } catch {
    return {};
  }
}

function problemOf(error: unknown, name: string): string {
  if (error instanceof vscode.LanguageModelError) {
    const { code } = error;
    if (code === vscode.LanguageModelError.NoPermissions.name) {
      return `You have not allowed Hopscope to use ${name}. Allow it when the editor asks, or choose another driver.`;
    }
    if (code === vscode.LanguageModelError.NotFound.name) {
      return `The editor does not offer ${name} any more. Choose another driver.`;
    }
    if (code === vscode.LanguageModelError.Blocked.name) {
      return `${name} is blocked for now, e.g. since its quota is used up: ${sentence(error.message)} Wait, or choose another driver.`;
    }
  }
  const why = error instanceof Error ? error.message : String(error);
  return `${name} gave no reply: ${sentence(why)} Try again, or choose another driver.`;
}

function sentence(text: string): string {
  const said = text.trim() || 'it said nothing about why';
  return /[.!?]$/.test(said) ? said : `${said}.`;
}
