/**
 * An extension that offers models of the editor, each with one way of behaving, for page tests. Newer editors have a stable
 * API for that, older ones a proposed one.
 */
import * as vscode from 'vscode';

/** @typedef {(part: string | vscode.LanguageModelToolCallPart) => void} Say */
/** @typedef {{ readonly tools?: readonly { readonly name: string }[] }} Options */

/**
 * @typedef {object} TestModel
 * @property {string} name
 * @property {(say: Say, token: vscode.CancellationToken, options: Options) => Promise<void>} answer
 * @property {boolean} [asks] whether a person is asked before it is used
 */

/** @param {vscode.CancellationToken} token */
const cancelled = (token) => new Promise((resolve) => void token.onCancellationRequested(resolve));

/** @type {Readonly<Record<string, TestModel>>} */
const models = {
  steady: {
    name: 'Steady',
    async answer(say) {
      say('THOUGHT: I begin at the beginning.\n');
      say('ACTION: READ 1');
    },
  },
  // Says something and goes on until it is cancelled.
  endless: {
    name: 'Endless',
    async answer(say, token) {
      say('THOUGHT: Let me think');
      await cancelled(token);
    },
  },
  // Does not even listen.
  deaf: { name: 'Deaf', answer: () => new Promise(() => {}) },
  failing: {
    name: 'Failing',
    async answer(say) {
      say('THOUGHT: I');
      throw new Error('The socket hung up');
    },
  },
  blocked: {
    name: 'Blocked',
    async answer() {
      throw vscode.LanguageModelError.Blocked('No requests are left today');
    },
  },
  // Calls the last of the tools that it is offered.
  calling: {
    name: 'Calling',
    async answer(say, _token, { tools = [] }) {
      const { name = 'nothing' } = tools.at(-1) ?? {};
      say(new vscode.LanguageModelToolCallPart('call-1', name, { pitch: 'Buy it. It is good.' }));
    },
  },
  guarded: { name: 'Guarded', asks: true, answer: async (say) => say('ACTION: DROP 1') },
};

const facts = {
  family: 'test',
  version: '1',
  maxInputTokens: 100_000,
  maxOutputTokens: 10_000,
  capabilities: { toolCalling: true },
};

/** @param {vscode.ExtensionContext} context */
export function activate(context) {
  const registered = 'registerLanguageModelChatProvider' in vscode.lm ? [registerAll()] : registerEach();
  context.subscriptions.push(
    ...registered,
    vscode.commands.registerCommand('hopscope-test.leave', () => {
      for (const registration of registered) registration.dispose();
    }),
  );
}

/** @param {string | vscode.LanguageModelToolCallPart} part */
function partOf(part) {
  return typeof part === 'string' ? new vscode.LanguageModelTextPart(part) : part;
}

/** A provider that has gone is asked no more, and what it had stays listed; so it says that it has nothing. */
function registerAll() {
  let offered = Object.entries(models);
  const changed = new vscode.EventEmitter();
  Reflect.get(vscode.lm, 'registerLanguageModelChatProvider').call(vscode.lm, 'hopscope-test', {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: async () =>
      offered.map(([id, { name }]) => ({ id, name, ...facts })),
    provideLanguageModelChatResponse: (
      /** @type {{ readonly id: string }} */ { id },
      /** @type {unknown} */ _messages,
      /** @type {Options} */ options,
      /** @type {vscode.Progress<unknown>} */ progress,
      /** @type {vscode.CancellationToken} */ token,
    ) => models[id]?.answer((part) => progress.report(partOf(part)), token, options),
    provideTokenCount: async () => 1,
  });
  return new vscode.Disposable(() => {
    offered = [];
    changed.fire(undefined);
  });
}

function registerEach() {
  return Object.entries(models).map(([id, { name, answer, asks = false }]) =>
    Reflect.get(vscode.lm, 'registerChatModelProvider').call(
      vscode.lm,
      id,
      {
        provideLanguageModelResponse: (
          /** @type {unknown} */ _messages,
          /** @type {Options} */ options,
          /** @type {string} */ _from,
          /** @type {vscode.Progress<unknown>} */ progress,
          /** @type {vscode.CancellationToken} */ token,
        ) => answer((part) => progress.report({ index: 0, part: partOf(part) }), token, options),
        provideTokenCount: async () => 1,
      },
      { name, vendor: 'hopscope-test', ...facts, auth: asks && { label: name } },
    ),
  );
}
