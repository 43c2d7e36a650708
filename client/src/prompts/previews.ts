/** The previews that are open, at most one for each step prompt, and how they are opened and restored. */
import * as vscode from 'vscode';
import type { PreviewPlace } from '../../../server/src/protocol.ts';
import { readPageState } from '../../webview/preview/messages.ts';
import { webviewOptions } from '../webview-html.ts';
import { type PreviewContext, PromptPreviewPanel } from './preview.ts';

const viewType = 'hopscope.preview';

export class PromptPreviews implements vscode.WebviewPanelSerializer {
  readonly #context: PreviewContext;
  readonly #open = new Set<PromptPreviewPanel>();

  constructor(context: PreviewContext) {
    this.#context = context;
  }

  /** Registers the command, and the restoring of panels after a reload of the window. */
  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.commands.registerCommand('hopscope.previewPrompt', (target?: unknown) => this.show(target)),
      vscode.window.registerWebviewPanelSerializer(viewType, this),
    );
  }

  /** @param target the address of a prompt, from a lens or a menu; otherwise that of the active editor is meant. */
  async show(target: unknown): Promise<void> {
    const uri = promptUri(target);
    if (!uri) return;
    const open = [...this.#open].find((it) => it.uri.toString() === uri.toString());
    if (open) {
      open.panel.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      viewType,
      'Preview',
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      webviewOptions(this.#context.extensionUri),
    );
    this.#add(panel, uri, {});
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const kept = readPageState(state);
    if (!kept) {
      panel.dispose();
      return;
    }
    panel.webview.options = webviewOptions(this.#context.extensionUri);
    this.#add(panel, vscode.Uri.parse(kept.uri), kept.place);
  }

  #add(panel: vscode.WebviewPanel, uri: vscode.Uri, place: Partial<PreviewPlace>): void {
    const opened = new PromptPreviewPanel(panel, uri, place, this.#context);
    this.#open.add(opened);
    panel.onDidDispose(() => this.#open.delete(opened));
  }
}

/** The address that a command was called with, or that of the active step prompt. */
export function promptUri(target: unknown): vscode.Uri | undefined {
  if (target instanceof vscode.Uri) return target;
  if (typeof target === 'string') return vscode.Uri.parse(target);
  const active = vscode.window.activeTextEditor?.document;
  return active?.languageId === 'hopscope-prompt' ? active.uri : undefined;
}
