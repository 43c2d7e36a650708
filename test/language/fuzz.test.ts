import { expect, test } from 'vitest';
import { fuzz } from '../fuzz/fuzz.ts';

test('three thousand random edits over all languages', async () => {
  const { edits } = await fuzz(3_000, 'unit');
  for (const language of ['hopscope-prompt', 'hopscope-episode', 'hopscope-instance', 'markdown']) {
    expect(edits[language]).toBeGreaterThan(100);
  }
}, 120_000);
