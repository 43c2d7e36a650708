/** Pieces of Markdown for hovers. What comes from a document is shown as it is, whatever it holds. */
import type { Position } from 'vscode-languageserver-types';

/** `text` so that it renders as itself, on one line. */
export function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!~|<>&$]/g, (character) => `\\${character}`).replace(/\s+/g, ' ');
}

/** A link that moves the editor; hovers of ours may run this one command. */
export function jump(text: string, uri: string, { line, character }: Position): string {
  const argument = encodeURIComponent(JSON.stringify([uri, line, character]));
  // Brackets would end the link early in some renderers.
  return `[${plain(text)}](command:hopscope.reveal?${argument.replace(/[()']/g, (c) => `%${c.charCodeAt(0).toString(16)}`)})`;
}
