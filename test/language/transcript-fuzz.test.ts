import { test } from 'vitest';
import { fuzzTranscripts } from '../fuzz/transcripts.ts';

test('two thousand random edits of transcripts', () => {
  fuzzTranscripts(2_000, 'unit');
}, 60_000);
