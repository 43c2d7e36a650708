/** Transcripts as tests write them, on an instance that asks for the desk extension of the lead of Vermilion Kestrel. */
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { CodeAction, Position } from 'vscode-languageserver-types';

/** Front matter; `more` are further lines. */
export function head(more = ''): string {
  return `---\nformat: 1\nenvironment: navigator\ninstance: hs1-train-17\n${more}---\n`;
}

/** A step for each reply, after empty lines. */
export function steps(...replies: readonly string[]): string {
  return replies.map((reply, index) => `\n=== step ${index + 1}\n${reply}\n`).join('');
}

/** The shortest correct episode. */
export const shortest: readonly string[] = [
  'ACTION: READ 28',
  'ACTION: COMPRESS 28 :: Vermilion Kestrel: Lead = Esteban Sakamoto',
  'ACTION: READ 55',
  'ACTION: ANSWER 7401',
];

/** An open transcript; a bar in `text`, if there is one, is the cursor. */
export function openTranscript(
  text: string,
  uri = 'file:///project/play.episode',
): { readonly document: TextDocument; readonly cursor: Position } {
  const at = text.indexOf('|');
  const document = TextDocument.create(uri, 'hopscope-episode', 1, text.replace('|', ''));
  return { document, cursor: document.positionAt(Math.max(0, at)) };
}

/** The text of a document after a code action. */
export function applied(document: TextDocument, action: CodeAction | undefined): string {
  if (!action) throw new Error('There is no such action.');
  return TextDocument.applyEdits(document, action.edit?.changes?.[document.uri] ?? []);
}
