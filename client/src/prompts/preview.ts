/** The live preview of one step prompt: a panel that follows what is typed. */
import * as vscode from 'vscode';
import type { PreviewPlace, PromptPreview } from '../../../server/src/protocol.ts';
import { type FromPage, readFromPage, type ToPage } from '../../webview/preview/messages.ts';
import { onDataChanged } from '../data/folder.ts';
import { ask } from '../language-client.ts';
import { type PageContext, PageLink } from '../page-link.ts';
import type { SavedTexts } from './saved-texts.ts';

/** Time after the last change until the preview follows, in ms. */
const pause = 150;

/** What a panel needs of the extension. */
export interface PreviewContext extends PageContext {
  readonly savedTexts: SavedTexts;
  /** Called when a preview shows another place. */
  moved(): void;
}

export class PromptPreviewPanel {
  readonly panel: vscode.WebviewPanel;
  readonly #context: PreviewContext;
  readonly #link: PageLink<ToPage>;
  #uri: vscode.Uri;
  /** Where to look; the server decides what is not named. */
  #place: Partial<PreviewPlace>;
  #instance: vscode.Uri | undefined;
  /** Counts renderings; what belongs to an earlier one is out of date. */
  #round = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    panel: vscode.WebviewPanel,
    uri: vscode.Uri,
    place: Partial<PreviewPlace>,
    context: PreviewContext,
  ) {
    this.panel = panel;
    this.#context = context;
    this.#link = new PageLink(panel, context);
    this.#uri = uri;
    this.#place = place;
    const { workspace } = vscode;
    const isOurs = (document: vscode.TextDocument) => document.uri.toString() === this.#uri.toString();
    this.#link.keep(
      workspace.onDidChangeTextDocument(({ document }) => isOurs(document) && this.#renderSoon()),
      workspace.onDidSaveTextDocument((document) => isOurs(document) && this.#renderSoon()),
      workspace.onDidRenameFiles(({ files }) => this.#follow(files)),
      workspace.onDidChangeConfiguration(
        (change) => change.affectsConfiguration('hopscope') && this.#renderSoon(),
      ),
      onDataChanged(() => this.#renderSoon()),
      panel.onDidDispose(() => clearTimeout(this.#timer)),
    );
    this.#link.onServerStart(() => this.#renderSoon());
    this.#showTitle();
    this.#link.load('preview', (message) => void this.#receive(readFromPage(message)));
  }

  get uri(): vscode.Uri {
    return this.#uri;
  }

  #showTitle(): void {
    this.panel.title = `Preview ${this.#uri.path.split('/').at(-1)}`;
  }

  #renderSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#render(), pause);
  }

  async #render(): Promise<void> {
    clearTimeout(this.#timer);
    const round = ++this.#round;
    const uri = this.#uri.toString();
    try {
      // Opens it when its editor was closed meanwhile.
      const document = await vscode.workspace.openTextDocument(this.#uri);
      const saved = await this.#context.savedTexts.of(document);
      const preview = await ask(this.#context.client, 'hopscope/previewPrompt', {
        uri,
        place: this.#place,
        saved,
      });
      if (round !== this.#round) return;
      this.#remember(preview);
      this.#link.post({ kind: 'preview', round, uri, preview });
      const tokens = await ask(this.#context.client, 'hopscope/promptTokens', { uri });
      if (tokens.ok) this.#link.post({ kind: 'tokens', round, tokens: tokens.value });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (round === this.#round)
        this.#link.post({ kind: 'gone', reason: `${this.#uri.path} cannot be shown. ${reason}` });
    }
  }

  #remember({ rendering }: PromptPreview): void {
    if (!rendering) return;
    const isElsewhere = JSON.stringify(rendering.place) !== JSON.stringify(this.#place);
    this.#place = rendering.place;
    if (isElsewhere) this.#context.moved();
    this.#instance = vscode.Uri.parse(rendering.instance.uri);
  }

  async #receive(message: FromPage | undefined): Promise<void> {
    switch (message?.kind) {
      case 'ready':
        return this.#render();
      case 'move':
        this.#place = { ...this.#place, ...message.place };
        return this.#render();
      case 'reveal':
        return this.#reveal(new vscode.Position(message.line, message.character));
      case 'openInstance':
        if (this.#instance) await vscode.window.showTextDocument(this.#instance, { preview: false });
        return;
      case 'getData':
        await vscode.commands.executeCommand('hopscope.getData', message.set);
        return;
      case 'copy':
        return this.#copy(message.what);
      case 'more':
        return this.#more(message);
      default:
        return; // nothing of ours
    }
  }

  async #reveal(position: vscode.Position): Promise<void> {
    const uri = this.#uri.toString();
    const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri);
    const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.One;
    await vscode.window.showTextDocument(this.#uri, {
      viewColumn,
      selection: new vscode.Range(position, position),
    });
  }

  async #copy(what: 'json' | 'curl'): Promise<void> {
    const request = await this.#link.ask('hopscope/promptRequest', { uri: this.#uri.toString() });
    if (!request) return;
    if (!request.ok) {
      void vscode.window.showErrorMessage(request.error);
      return;
    }
    await vscode.env.clipboard.writeText(request.value[what]);
    const said = what === 'json' ? 'Copied the request as JSON.' : 'Copied the request as a curl command.';
    if (request.value.model !== null) vscode.window.setStatusBarMessage(said, 4000);
    else void vscode.window.showInformationMessage(`${said} The prompt names no model, so neither does it.`);
  }

  async #more({ round, message, next }: Extract<FromPage, { kind: 'more' }>): Promise<void> {
    if (round !== this.#round) return;
    const uri = this.#uri.toString();
    const more = await this.#link.ask('hopscope/previewPieces', { uri, message, next });
    if (more?.ok) this.#link.post({ kind: 'more', round, message, ...more.value });
  }

  /** The preview stays with a file that is renamed, and with one in a folder that is. */
  #follow(files: readonly { readonly oldUri: vscode.Uri; readonly newUri: vscode.Uri }[]): void {
    for (const { oldUri, newUri } of files) {
      const path = this.#uri.path;
      if (path !== oldUri.path && !path.startsWith(`${oldUri.path}/`)) continue;
      this.#uri = newUri.with({ path: newUri.path + path.slice(oldUri.path.length) });
      this.#showTitle();
      this.#renderSoon();
    }
  }
}
