/**
 * An extension that offers models of the editor, each with one way of behaving, for page tests. Newer editors have a stable
 * API for that, older ones a proposed one.
 */
import * as vscode from 'vscode';

/**
 * @typedef {object} TestModel
 * @property {string} name
 * @property {(say: (text: string) => void, token: vscode.CancellationToken) => Promise<void>} answer
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
  guarded: { name: 'Guarded', asks: true, answer: async (say) => say('ACTION: READ 2') },
};

const facts = { family: 'test', version: '1', maxInputTokens: 100_000, maxOutputTokens: 10_000 };

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

function registerAll() {
  return Reflect.get(vscode.lm, 'registerLanguageModelChatProvider').call(vscode.lm, 'hopscope-test', {
    provideLanguageModelChatInformation: async () =>
      Object.entries(models).map(([id, { name }]) => ({ id, name, ...facts, capabilities: {} })),
    provideLanguageModelChatResponse: (
      /** @type {{ readonly id: string }} */ { id },
      /** @type {unknown} */ _messages,
      /** @type {unknown} */ _options,
      /** @type {vscode.Progress<unknown>} */ progress,
      /** @type {vscode.CancellationToken} */ token,
    ) => models[id]?.answer((text) => progress.report(new vscode.LanguageModelTextPart(text)), token),
    provideTokenCount: async () => 1,
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
          /** @type {unknown} */ _options,
          /** @type {string} */ _from,
          /** @type {vscode.Progress<unknown>} */ progress,
          /** @type {vscode.CancellationToken} */ token,
        ) =>
          answer(
            (text) => progress.report({ index: 0, part: new vscode.LanguageModelTextPart(text) }),
            token,
          ),
        provideTokenCount: async () => 1,
      },
      { name, vendor: 'hopscope-test', ...facts, auth: asks && { label: name } },
    ),
  );
}
