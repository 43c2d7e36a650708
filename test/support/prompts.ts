/** Step prompts as tests write them: with marks under them, or with a bar for the cursor. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Position, TextEdit } from 'vscode-languageserver-types';
import { environments } from '../../server/src/engine/environments/registry.ts';
import { createLanguageService, type LanguageService } from '../../server/src/language/service.ts';
import { openDocument } from './language.ts';
import { tiny } from './tiny-environment.ts';

/** A service that also knows the tiny environment. */
export const service: LanguageService = createLanguageService([...environments, tiny]);

let opened = 0;

/** A step prompt of its own address, so that no test sees where another one previewed its own. */
export function openPrompt(text: string): TextDocument {
  return openDocument('hopscope-prompt', text, `test:/prompt-${++opened}.step.md`);
}

/** A step prompt for the tiny environment with `body` below its front matter. */
export function tinyPrompt(body: string, fields = ''): string {
  return `---\nformat: 1\nenvironment: tiny\n${fields}---\n${body}`;
}

/** Opens a text in which a bar stands at the cursor. */
export function openAtCursor(textWithBar: string): {
  readonly document: TextDocument;
  readonly position: Position;
} {
  const at = textWithBar.indexOf('|');
  const document = openPrompt(textWithBar.slice(0, at) + textWithBar.slice(at + 1));
  return { document, position: document.positionAt(at) };
}

/** The text of `document` after one edit. */
export function edited(document: TextDocument, { range, newText }: TextEdit): string {
  const text = document.getText();
  return text.slice(0, document.offsetAt(range.start)) + newText + text.slice(document.offsetAt(range.end));
}
