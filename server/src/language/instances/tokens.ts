/** Semantic tokens of an instance document: entities and values, the superseded ones and, with spoilers, the evidence. */
import type { CancellationToken } from 'vscode-jsonrpc';
import { MARKS, MENTION_ROLES, type Mentions } from '../../engine/environments/links.ts';
import { modifierBits, TokenEncoder } from '../semantic-tokens.ts';
import type { InstanceModel } from './models.ts';

// Tables by the number of a role and the sum of marks: a large document has thousands of mentions, and the first look at
// one should not take long.
const IS_VALUE = MENTION_ROLES.map((role) => role.endsWith('value'));
const ROLE_BITS = MENTION_ROLES.map((role) =>
  modifierBits(role === 'entry' ? ['declaration'] : role.startsWith('superseded') ? ['superseded'] : []),
);
const MARK_BITS = Array.from({ length: 8 }, (_, marks) =>
  modifierBits((['evidence', 'nearMiss', 'answer'] as const).filter((mark) => marks & MARKS[mark])),
);

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
    const isValue = IS_VALUE[mentions.roles[mention] ?? 0] ?? false;
    encoder.add(from, to, isValue ? 'value' : 'entity', modifiersOf(mentions, mention, spoilers));
  }
  return encoder.encode();
}

/** Modifiers of a mention's token; what a player must not know only with `spoilers`. */
export function modifiersOf({ roles, marks }: Mentions, mention: number, spoilers: boolean): number {
  const told = ROLE_BITS[roles[mention] ?? 0] ?? 0;
  return spoilers ? told | (MARK_BITS[marks[mention] ?? 0] ?? 0) : told;
}
