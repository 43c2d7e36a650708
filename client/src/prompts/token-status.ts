/** A status item of step prompts: how many tokens the prompt has where it is previewed. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { PromptTokens } from '../../../server/src/protocol.ts';
import { sizeText } from '../../webview/preview/sizes.ts';
import { ask } from '../language-client.ts';

/** Time after the last change until sizes are asked for again, in ms. */
const pause = 300;

export class TokenStatus implements vscode.Disposable {
  readonly #client: LanguageClient;
  readonly #item = vscode.languages.createLanguageStatusItem('hopscope.tokens', {
    language: 'hopscope-prompt',
  });
  readonly #subscriptions: readonly vscode.Disposable[];
  #timer: NodeJS.Timeout | undefined;
  #round = 0;

  /** @param onDidMovePreview fires when a prompt is previewed elsewhere */
  constructor(client: LanguageClient, onDidMovePreview: vscode.Event<void>) {
    this.#client = client;
    this.#item.name = 'Hopscope Prompt Size';
    this.#item.text = 'Prompt size';
    this.#item.command = { command: 'hopscope.previewPrompt', title: 'Preview' };
    const isShown = (document: vscode.TextDocument) => document === vscode.window.activeTextEditor?.document;
    this.#subscriptions = [
      vscode.window.onDidChangeActiveTextEditor(() => this.#updateSoon()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => isShown(document) && this.#updateSoon()),
      onDidMovePreview(() => this.#updateSoon()),
    ];
    this.#updateSoon();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#item.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #updateSoon(): void {
    clearTimeout(this.#timer);
    if (vscode.window.activeTextEditor?.document.languageId !== 'hopscope-prompt') return;
    this.#timer = setTimeout(() => void this.#update(), pause);
  }

  async #update(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== 'hopscope-prompt') return;
    const round = ++this.#round;
    this.#item.busy = true;
    const sizes = await ask(this.#client, 'hopscope/promptTokens', { uri: document.uri.toString() });
    if (round !== this.#round) return;
    this.#item.busy = false;
    this.#item.text = sizes.ok ? sizeText(sizes.value.total.step, sizes.value.tokenizer) : 'No preview';
    this.#item.detail = sizes.ok ? detail(sizes.value) : sizes.error;
  }
}

function detail({ place, total, tokenizer }: PromptTokens): string {
  const { split, index, policy, step } = place;
  return `at most ${sizeText(total.most, tokenizer)} · ${split} ${index}, ${policy}, step ${step}`;
}
