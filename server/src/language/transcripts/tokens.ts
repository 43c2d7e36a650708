/** Semantic tokens of a transcript: what its replies say of the instance, coloured as in the instance's own document. */
import type { CancellationToken } from 'vscode-jsonrpc';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { InstanceModel } from '../instances/models.ts';
import { modifiersOf } from '../instances/tokens.ts';
import { modifierBits, TokenEncoder } from '../semantic-tokens.ts';
import type { Analysis } from './analysis.ts';
import { findInText } from './lexicon.ts';
import { ReplyPlace } from './places.ts';

/** What a transcript says of an entity is never its entry. */
const DECLARATION = modifierBits(['declaration']);

/** Tokens of the steps that overlap `start`–`end` of the file. */
export function transcriptTokens(
  document: TextDocument,
  start: number,
  end: number,
  { text, parsed }: Analysis,
  model: InstanceModel,
  spoilers: boolean,
  token: CancellationToken,
): number[] {
  const encoder = new TokenEncoder(document);
  for (const [index, block] of parsed.layout.blocks.entries()) {
    const event = parsed.transcript.events[index];
    if (block.end <= start || event?.kind !== 'reply') continue;
    if (block.start >= end || token.isCancellationRequested) break;
    const place = new ReplyPlace(text, block, event.text);
    for (const found of findInText(model, event.text)) {
      const range = place.toFile(found);
      // A name may be broken over two lines in an escaped text; a token cannot.
      if (/[\r\n]/.test(text.slice(range.start, range.end))) continue;
      const modifiers = modifiersOf(model.links.mentions, found.mention, spoilers) & ~DECLARATION;
      encoder.add(range.start, range.end, found.isValue ? 'value' : 'entity', modifiers);
    }
  }
  return encoder.encode();
}
