/** Semantic tokens of an instance document: entities and values, the superseded ones and, with spoilers, the evidence. */
import type { CancellationToken } from 'vscode-jsonrpc';
import { MARKS, type Mentions, roleOf } from '../engine/environments/links.ts';
import type { InstanceModel } from './instance-models.ts';
import { modifierBits, TokenEncoder } from './semantic-tokens.ts';

const DECLARATION = modifierBits(['declaration']);
const SUPERSEDED = modifierBits(['superseded']);
const EVIDENCE = modifierBits(['evidence']);
const NEAR_MISS = modifierBits(['nearMiss']);
const ANSWER = modifierBits(['answer']);

/** Mentions between two looks at the cancellation token. */
const STRETCH = 1000;

/**
 * The tokens of all mentions that overlap `start` to `end`. That a value is superseded is said in the text and no
 * spoiler.
 */
export function instanceTokens(
  model: InstanceModel,
  start: number,
  end: number,
  spoilers: boolean,
  token: CancellationToken,
): number[] {
  const { mentions } = model.links;
  const encoder = new TokenEncoder(model.document);
  for (let mention = 0; mention < mentions.count; mention++) {
    if (mention % STRETCH === 0 && token.isCancellationRequested) break;
    const from = mentions.starts[mention] ?? 0;
    const to = mentions.ends[mention] ?? 0;
    if (to <= start) continue;
    if (from >= end) break;
    const isValue = roleOf(mentions, mention).endsWith('value');
    encoder.add(from, to, isValue ? 'value' : 'entity', modifiersOf(mentions, mention, spoilers));
  }
  return encoder.encode();
}

/** Modifiers of a mention's token; what a player must not know only with `spoilers`. */
export function modifiersOf(mentions: Mentions, mention: number, spoilers: boolean): number {
  const role = roleOf(mentions, mention);
  let bits = 0;
  if (role === 'entry') bits |= DECLARATION;
  if (role.startsWith('superseded')) bits |= SUPERSEDED;
  if (!spoilers) return bits;
  const marks = mentions.marks[mention] ?? 0;
  if (marks & MARKS.evidence) bits |= EVIDENCE;
  if (marks & MARKS.nearMiss) bits |= NEAR_MISS;
  if (marks & MARKS.answer) bits |= ANSWER;
  return bits;
}
