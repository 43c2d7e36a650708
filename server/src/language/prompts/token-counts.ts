/** Token counts of texts in a model's tokenizer, which works elsewhere: what is known is there at once, the rest comes. */

/** Counts texts off the thread that answers the editor. */
export interface ModelTokenizer {
  /** As it is called, e.g. `o200k`. */
  readonly name: string;
  /** One count for each text; null when it cannot count, which stays so. */
  count(texts: readonly string[]): Promise<readonly number[] | null>;
}

export interface TokenCounts {
  readonly tokenizer: string;
  /** Undefined as long as the text has not been counted. */
  known(text: string): number | undefined;
  /** Resolves when nothing more can be done about `texts`: to true when each of them is known then. */
  all(texts: readonly string[]): Promise<boolean>;
}

/** For where there is none. */
export const noTokenizer: ModelTokenizer = { name: 'model', count: () => Promise.resolve(null) };

/** Texts remembered, and their length in all, in UTF-16 code units: those of some episodes. */
const kept = { texts: 1000, length: 8_000_000 };

export function createTokenCounts(tokenizer: ModelTokenizer): TokenCounts {
  const counts = new Map<string, number>();
  /** Texts that are being counted. */
  const awaited = new Map<string, Promise<void>>();
  let length = 0;

  function remember(text: string, count: number): void {
    if (!counts.has(text)) length += text.length;
    counts.set(text, count);
    for (const oldest of counts.keys()) {
      if (counts.size <= kept.texts && length <= kept.length) break;
      counts.delete(oldest);
      length -= oldest.length;
    }
  }

  async function count(texts: readonly string[]): Promise<void> {
    try {
      const counted = await tokenizer.count(texts);
      for (const [position, text] of texts.entries()) {
        const found = counted?.[position];
        if (found !== undefined) remember(text, found);
      }
    } finally {
      for (const text of texts) awaited.delete(text);
    }
  }

  return {
    tokenizer: tokenizer.name,
    known(text) {
      return text === '' ? 0 : counts.get(text);
    },
    async all(texts) {
      const unknown = [...new Set(texts)].filter((text) => text !== '' && !counts.has(text));
      const fresh = unknown.filter((text) => !awaited.has(text));
      if (fresh.length > 0) {
        const counting = count(fresh);
        for (const text of fresh) awaited.set(text, counting);
      }
      await Promise.all(unknown.map((text) => awaited.get(text)));
      return texts.every((text) => text === '' || counts.has(text));
    },
  };
}
