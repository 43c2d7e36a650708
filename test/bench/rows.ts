/** Opens the file of traces that is named, shows its first rows, goes through the rest, and tells how long that took. */
import { openRunRows } from '../../server/src/host/runs/run-rows.ts';

const [, , file = ''] = process.argv;
const began = performance.now();
const rows = await openRunRows(file, 'traces');
const shown = await rows.rows(0, 50);
const first = performance.now() - began;
while (!rows.complete) await rows.more();
const whole = performance.now() - began;
await rows.rows(rows.count - 50, 50);
await rows.close();
const { maxRSS } = process.resourceUsage();
console.log(
  JSON.stringify({ shown: shown.length, count: rows.count, first, whole, resident: maxRSS / 1024 }),
);
