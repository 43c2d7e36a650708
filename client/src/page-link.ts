/** What joins a panel of the editor, the page in it and the server: the same for every kind of panel. */
import type * as vscode from 'vscode';
import { type LanguageClient, State } from 'vscode-languageclient/node';
import type { RequestMethod, RequestParams, RequestResult } from '../../server/src/protocol.ts';
import { ask } from './language-client.ts';
import { webviewHtml } from './webview-html.ts';

/** What panels need of the extension. */
export interface PageContext {
  readonly client: LanguageClient;
  readonly extensionUri: vscode.Uri;
}

/** The link of one panel, until it is closed. `ToPage` is what its page is told. */
export class PageLink<ToPage> {
  readonly panel: vscode.WebviewPanel;
  readonly #context: PageContext;
  readonly #subscriptions: vscode.Disposable[] = [];
  #isClosed = false;

  constructor(panel: vscode.WebviewPanel, context: PageContext) {
    this.panel = panel;
    this.#context = context;
    this.keep(
      panel.onDidDispose(() => {
        this.#isClosed = true;
        for (const subscription of this.#subscriptions) subscription.dispose();
      }),
    );
  }

  /** Takes on what is to be disposed of when the panel is closed. */
  keep(...subscriptions: readonly vscode.Disposable[]): void {
    this.#subscriptions.push(...subscriptions);
  }

  /** Loads the page called `name`. @param receive gets what it says, which may be anything */
  load(name: string, receive: (message: unknown) => unknown): void {
    const { webview } = this.panel;
    this.keep(webview.onDidReceiveMessage(receive));
    webview.html = webviewHtml(webview, this.#context.extensionUri, name);
  }

  /** Calls back whenever the server was started anew, which then knows of nothing that is open. */
  onServerStart(react: () => void): void {
    this.keep(
      this.#context.client.onDidChangeState(({ newState }) => {
        if (newState === State.Running) react();
      }),
    );
  }

  /** The answer of the server, or undefined when it went away meanwhile, which the log tells. */
  async ask<M extends RequestMethod>(
    method: M,
    params: RequestParams<M>,
  ): Promise<RequestResult<M> | undefined> {
    const { client } = this.#context;
    try {
      return await ask(client, method, params);
    } catch (error) {
      client.error(`${method} failed.`, error, false);
      return undefined;
    }
  }

  /** Tells the page something. An answer may come when the panel has been closed: then nothing is told. */
  post(message: ToPage): void {
    if (!this.#isClosed) void this.panel.webview.postMessage(message);
  }
}
