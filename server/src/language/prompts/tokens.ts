/** How large a step prompt is on the previewed episode: at its step, and where it is largest. */

import type { TokenRange, TokenSizes } from '../../protocol.ts';
import type { PromptDocument } from './document.ts';
import type { Preview, PreviewEpisode } from './previews.ts';
import type { TokenCounts } from './token-counts.ts';

/** For each step of the episode the text that each role block gives, '' for one that gives no message. */
type Texts = readonly (readonly string[])[];

export interface PromptSizes {
  /** Of each role block. The model's are null when not all of its texts have been counted. */
  readonly blocks: readonly TokenRange[];
  readonly total: TokenRange;
  /** Texts that the model's tokenizer has not counted yet. */
  readonly uncounted: readonly string[];
}

const rendered = new WeakMap<PromptDocument, { readonly episode: PreviewEpisode; readonly texts: Texts }>();

/** The sizes of `document` at `preview`, as far as `counts` knows them. */
export function promptSizes(
  document: PromptDocument,
  { episode, place }: Preview,
  counts: TokenCounts,
): PromptSizes {
  const texts = textsOf(document, episode);
  const count = episode.environment.countTokens?.bind(episode.environment);
  const sizes = texts.map((step) =>
    step.map(
      (text): TokenSizes => ({ environment: count?.(text) ?? null, model: counts.known(text) ?? null }),
    ),
  );
  const at = place.step - 1;
  const ofBlock = (block: number) => sizes.map((step) => step[block] ?? nothing);
  return {
    blocks: document.prompt.blocks.map((_, block) => rangeOf(ofBlock(block), at)),
    total: rangeOf(
      sizes.map((step) => step.reduce(sum, nothing)),
      at,
    ),
    uncounted: [...new Set(texts.flat().filter((text) => counts.known(text) === undefined))],
  };
}

function textsOf(document: PromptDocument, episode: PreviewEpisode): Texts {
  const known = rendered.get(document);
  if (known?.episode === episode) return known.texts;
  const texts: (readonly string[])[] = [];
  for (const [index] of episode.states.entries()) {
    const step = document.render(episode.observation(index + 1));
    texts.push(step.texts);
    // What goes beyond all bounds once does so at every step, and takes its time: its size is no longer of interest.
    if (step.truncated) break;
  }
  rendered.set(document, { episode, texts });
  return texts;
}

const nothing: TokenSizes = { environment: 0, model: 0 };

function sum(a: TokenSizes, b: TokenSizes): TokenSizes {
  return { environment: add(a.environment, b.environment), model: add(a.model, b.model) };
}

function add(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

function rangeOf(steps: readonly TokenSizes[], at: number): TokenRange {
  const most = (size: (sizes: TokenSizes) => number | null): number | null => {
    const sizes = steps.map(size).filter((it) => it !== null);
    return sizes.length < steps.length ? null : Math.max(...sizes);
  };
  return {
    step: steps[at] ?? steps.at(-1) ?? nothing,
    most: { environment: most(({ environment }) => environment), model: most(({ model }) => model) },
  };
}
