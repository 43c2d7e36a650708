/**
 * "Compare Reply with Its Source": what a reply was made from and what it is, in the editor's own comparison. Follows the
 * transcript while both are open.
 */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Place, RequestResult } from '../../server/src/protocol.ts';
import { ask } from './language-client.ts';

const SCHEME = 'hopscope-compared';

/** Milliseconds of rest before a changed transcript is followed. */
const REST = 150;

type Side = 'before' | 'after';
type Position = Place['start'];

export function registerCompareTexts(client: LanguageClient): vscode.Disposable {
  const changes = new vscode.EventEmitter<vscode.Uri>();
  let timer: NodeJS.Timeout | undefined;

  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changes.event,
    async provideTextDocumentContent(uri) {
      const { side, transcript, position } = readAddress(uri);
      const texts = await textsOf(client, transcript, position);
      return texts.ok ? texts.value[side].text : '';
    },
  };

  function follow(transcript: vscode.Uri): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme !== SCHEME) continue;
      if (readAddress(uri).transcript.toString() === transcript.toString()) changes.fire(uri);
    }
  }

  return vscode.Disposable.from(
    changes,
    new vscode.Disposable(() => clearTimeout(timer)),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.languageId !== 'hopscope-episode') return;
      clearTimeout(timer);
      timer = setTimeout(() => follow(document.uri), REST);
    }),
    vscode.commands.registerCommand('hopscope.compareTexts', (address?: unknown, position?: Position) =>
      compare(client, address, position),
    ),
  );
}

/** @param address of a transcript, the active one when absent; `position` in the step that is meant. */
async function compare(client: LanguageClient, address: unknown, given?: Position): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const transcript = typeof address === 'string' ? vscode.Uri.parse(address) : editor?.document.uri;
  if (transcript === undefined) return;
  const position = given ?? editor?.selection.active ?? { line: 0, character: 0 };
  const texts = await textsOf(client, transcript, position);
  if (!texts.ok) {
    void vscode.window.showErrorMessage(texts.error);
    return;
  }
  const { before, after, instance } = texts.value;
  const at = { line: position.line, character: position.character };
  await vscode.commands.executeCommand(
    'vscode.diff',
    addressOf('before', before.title, transcript, at),
    addressOf('after', after.title, transcript, at),
    `${instance}: ${before.title} ↔ ${after.title}`,
    { viewColumn: vscode.ViewColumn.Beside, preview: false },
  );
}

function textsOf(
  client: LanguageClient,
  transcript: vscode.Uri,
  { line, character }: Position,
): Promise<RequestResult<'hopscope/comparedTexts'>> {
  return ask(client, 'hopscope/comparedTexts', {
    uri: transcript.toString(),
    position: { line, character },
  });
}

function addressOf(side: Side, title: string, transcript: vscode.Uri, position: Position): vscode.Uri {
  const query = JSON.stringify({ side, transcript: transcript.toString(), position });
  return vscode.Uri.from({ scheme: SCHEME, path: `/${title}`, query });
}

interface Address {
  readonly side: Side;
  readonly transcript: vscode.Uri;
  readonly position: Position;
}

/** The reverse of {@link addressOf}; only our own addresses have the scheme. */
function readAddress({ query }: vscode.Uri): Address {
  const { side, transcript, position } = JSON.parse(query) as {
    side: Side;
    transcript: string;
    position: Position;
  };
  return { side, transcript: vscode.Uri.parse(transcript), position };
}
