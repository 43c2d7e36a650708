/** `npm run fuzz -- COUNT [SEED]`: so many random edits in each of our languages; the seed is the date unless one is given. */
import { fuzzTranscripts } from './transcripts.ts';

/** Each makes `count` random edits of one language and throws when something is wrong. */
const fuzzers: Readonly<Record<string, (count: number, seed: string) => void>> = {
  transcripts: fuzzTranscripts,
};

const [count = '10000', seed = new Date().toISOString().slice(0, 10)] = process.argv.slice(2);
if (!/^\d+$/.test(count)) throw new Error(`The number of edits must be a whole number, not "${count}".`);
for (const [language, fuzz] of Object.entries(fuzzers)) {
  const start = performance.now();
  fuzz(Number(count), seed);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${language}: ${count} edits, seed ${seed}, ${seconds} s, nothing wrong`);
}
