/** What the editor has for step prompts beside the language features: preview, sizes. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { PromptPreviews } from './previews.ts';
import { SavedTexts } from './saved-texts.ts';
import { TokenStatus } from './token-status.ts';

export function registerPromptFeatures(
  client: LanguageClient,
  { extensionUri }: vscode.ExtensionContext,
): vscode.Disposable {
  const savedTexts = new SavedTexts();
  const moves = new vscode.EventEmitter<void>();
  const previews = new PromptPreviews({ client, extensionUri, savedTexts, moved: () => moves.fire() });
  return vscode.Disposable.from(savedTexts, moves, previews.register(), new TokenStatus(client, moves.event));
}
