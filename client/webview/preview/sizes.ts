/** Sizes in tokens, in words. */
import type { TokenRange, TokenSizes } from '../../../server/src/protocol.ts';

/** E.g. `412 tokens · o200k 530`. */
export function sizeText({ environment, model }: TokenSizes, tokenizer: string): string {
  const own =
    environment === null ? [] : [`${grouped(environment)} ${environment === 1 ? 'token' : 'tokens'}`];
  const models = model === null ? [] : [`${tokenizer} ${grouped(model)}`];
  return [...own, ...models].join(' · ');
}

export function sizeTitle({ most }: TokenRange, tokenizer: string): string {
  return `At most ${sizeText(most, tokenizer)} in this episode`;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
