/** `npm run fuzz -- --edits COUNT --seed SEED`: random edits in all our languages; without a seed that of the day. */
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';

const { values } = parseArgs({
  options: {
    edits: { type: 'string', default: '10000' },
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  },
});
const { edits, seed } = values;
if (!/^\d+$/.test(edits)) throw new Error(`The number of edits must be a whole number, not "${edits}".`);
const started = performance.now();
const seconds = () => `${((performance.now() - started) / 1000).toFixed(0)} s`;
let told = 0;
const report = await fuzz(Number(edits), seed, (made) => {
  if (made - told < 10_000) return;
  told = made;
  console.error(`${made} edits, ${seconds()}`);
});
for (const [language, made] of Object.entries(report.edits)) console.log(`${language}: ${made} edits`);
const { name, milliseconds } = report.slowest;
console.log(
  `seed ${seed}: nothing wrong in ${seconds()}; the slowest answer was ${name}, ${milliseconds.toFixed(0)} ms`,
);
