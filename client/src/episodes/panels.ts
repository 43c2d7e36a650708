/** The episode panels: how they are opened, from wherever, and restored after a reload of the window. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { readPageState } from '../../webview/episode/messages.ts';
import { Keys } from '../models/keys.ts';
import { webviewOptions } from '../webview-html.ts';
import { KeptSessions } from './kept.ts';
import { HeldMarks } from './marks.ts';
import { EpisodePanel, type PanelContext } from './panel.ts';
import { findTarget, type SourceContext, type Target } from './source.ts';

const viewType = 'hopscope.episode';

/** Registers the commands that open an episode, and the restoring of panels. */
export function registerEpisodes(
  client: LanguageClient,
  extension: vscode.ExtensionContext,
): vscode.Disposable {
  const { extensionUri, secrets, workspaceState: memory } = extension;
  const marks = new HeldMarks();
  const kept = new KeptSessions(extension);
  const panels = new EpisodePanels(
    { client, extensionUri, keys: new Keys(secrets), kept, marks },
    { client, extensionUri, memory },
  );
  void kept.tidy();
  const open = (target?: unknown) => panels.open(target);
  return vscode.Disposable.from(
    marks,
    vscode.commands.registerCommand('hopscope.openEpisode', open),
    vscode.commands.registerCommand('hopscope.stepEpisode', open),
    vscode.window.registerWebviewPanelSerializer(viewType, panels),
  );
}

class EpisodePanels implements vscode.WebviewPanelSerializer {
  readonly #context: PanelContext;
  readonly #sources: SourceContext;

  constructor(context: PanelContext, sources: SourceContext) {
    this.#context = context;
    this.#sources = sources;
  }

  /** @param target as of `findTarget` */
  async open(target: unknown): Promise<void> {
    const column = vscode.window.activeTextEditor ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    const found = await findTarget(target, this.#sources);
    if (!found) return;
    const panel = vscode.window.createWebviewPanel(
      viewType,
      found.title,
      column,
      webviewOptions(this.#context.extensionUri),
    );
    this.#add(panel, found.source);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const session = readPageState(state)?.session;
    const text = session === undefined ? undefined : await this.#context.kept.read(session);
    if (session === undefined || text === undefined) {
      panel.dispose();
      return;
    }
    panel.webview.options = webviewOptions(this.#context.extensionUri);
    this.#add(panel, async () => ({ kind: 'kept', text }), session);
  }

  #add(panel: vscode.WebviewPanel, source: Target['source'], session?: string): void {
    new EpisodePanel(panel, source, this.#context, session);
  }
}
