import { describe, expect, it } from 'vitest';
import { generate, MAX_INDEX } from '../../../server/src/engine/environments/navigator/generate.ts';
import type { Instance } from '../../../server/src/engine/environments/navigator/instance.ts';
import { parseInstance } from '../../../server/src/engine/environments/navigator/parse-instance.ts';
import { splits } from '../../../server/src/engine/environments/navigator/splits.ts';
import { validate } from '../../../server/src/engine/environments/navigator/validate.ts';
import { countTokens } from '../../../server/src/engine/text/tokens.ts';

function instanceAt(split: string, index: number, options = {}): Instance {
  const made = generate(split, index, options);
  if (!made.ok) throw new Error(made.error);
  return made.value.instance;
}

const sample = splits.flatMap(({ id }) => Array.from({ length: 12 }, (_, i) => instanceAt(id, i * 7)));

describe('generated instances', () => {
  it('validate, read back and survive JSON unchanged', () => {
    for (const instance of sample) {
      expect(validate(instance)).toEqual([]);
      const parsed = parseInstance(JSON.parse(JSON.stringify(instance)));
      expect(parsed.ok ? parsed.value : parsed.error).toEqual(instance);
    }
  });

  it('count exactly what the counter counts, though they only ever add up', () => {
    for (const { chunks, doc_tokens, evidence } of sample) {
      for (const { text, tokens } of chunks) expect(countTokens(text)).toBe(tokens);
      expect(chunks.reduce((sum, chunk) => sum + chunk.tokens, 0)).toBe(doc_tokens);
      for (const { chunk_idx, entity, token_offset } of evidence) {
        const text = chunks[chunk_idx]?.text ?? '';
        const before = text.slice(0, text.indexOf(`\n${entity} — `) + 1);
        const earlier = chunks.slice(0, chunk_idx).reduce((sum, chunk) => sum + chunk.tokens, 0);
        const newlines = before.split('\n').length - 1;
        expect(token_offset).toBe(earlier + countTokens(before) + newlines);
      }
    }
  });

  it('keep the invariants of the schema', () => {
    for (const instance of sample) {
      instance.chunks.forEach((chunk, position) => {
        expect(chunk.idx).toBe(position);
        expect(chunk.text.split('\n', 1)[0]).toBe(chunk.header);
        if (chunk.kind === 'noise') {
          expect(chunk.header).toMatch(new RegExp(`^${chunk.section} · entry \\d+$`));
          expect(chunk.text).not.toMatch(/: |\[/);
          return;
        }
        const names = chunk.entity_names;
        const range = names.length === 1 ? names[0] : `${names[0]} – ${names.at(-1)}`;
        expect(chunk.header).toBe(`${chunk.section} · ${range}`);
        expect([...names].sort()).toEqual(names);
      });
      expect(instance.candidate_answers).toContain(instance.answer);
      expect([...instance.candidate_answers].sort()).toEqual(instance.candidate_answers);
      expect(new Set(instance.candidate_answers).size).toBe(instance.candidate_answers.length);
      expect(instance.min_steps).toBe(2 * instance.n_hops);
      expect(instance.compression_required).toBe(true);
      expect(instance.question.endsWith(`project ${instance.evidence[0]?.entity}?`)).toBe(true);
    }
  });

  it('give every register chunk a twin pair, whether or not it holds evidence', () => {
    for (const { chunks } of sample) {
      for (const { kind, entity_names: names } of chunks) {
        if (kind === 'noise') continue;
        const twins = names.filter((name) => names.some((other) => other !== name && name.startsWith(other)));
        expect(twins).toHaveLength(1);
      }
    }
  });

  it('differ between splits, between indices, and do not depend on what was made before', () => {
    const texts = new Set(sample.map((instance) => instance.chunks.map((chunk) => chunk.text).join('\n')));
    expect(texts.size).toBe(sample.length);
    expect(new Set(sample.map(({ id }) => id)).size).toBe(sample.length);
    expect(instanceAt('train', 0)).toEqual(sample[0]);
  });

  it('go on beyond the size of a split', () => {
    expect(instanceAt('id_test', 1_000_000).id).toBe('hs1-id_test-1000000');
    expect(instanceAt('train', MAX_INDEX).id).toBe(`hs1-train-${MAX_INDEX}`);
  });

  it('follow the options for hops and size, and say so in their id', () => {
    const instance = instanceAt('train', 3, { n_hops: [7], doc_tokens: [64_000] });
    expect(instance).toMatchObject({ id: 'hs1-train-3-h7-t64000', n_hops: 7, doc_tokens_target: 64_000 });
    expect(instance.evidence.at(-1)?.entity_type).toBe('person');
  });
});

describe('what cannot be generated', () => {
  it.each([
    ['trian', 0, {}, 'no split "trian"'],
    ['train', -1, {}, 'out of range'],
    ['train', 0.5, {}, 'out of range'],
    ['train', MAX_INDEX + 1, {}, 'out of range'],
    ['train', Number.NaN, {}, 'out of range'],
    ['train', 0, { doc_tokens: [1_000_000] }, 'name_space_exhausted'],
    ['train', 0, { n_hops: [50], doc_tokens: [1000] }, 'no_free_chunk'],
  ])('%s %d %j: %s', (split, index, options, part) => {
    const made = generate(split, index, options);
    expect(made.ok ? '' : made.error).toContain(part);
  });
});
