/** The thread that counts tokens for {@link openModelTokenizer}. Bundled on its own: its vocabulary is megabytes. */
import { parentPort } from 'node:worker_threads';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { wordPieces } from '../engine/text/word-pieces.ts';
import type { CountAnswer, CountQuestion } from './model-tokenizer.ts';

/** What looks like a special token of a chat format, such as `<|endoftext|>`, is text here. */
const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

parentPort?.on('message', ({ id, texts }: CountQuestion) => {
  const counts = texts.map((text) =>
    wordPieces(text).reduce((sum, piece) => sum + countTokens(piece, asText), 0),
  );
  const answer: CountAnswer = { id, counts };
  parentPort?.postMessage(answer);
});
