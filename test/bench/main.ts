/**
 * `npm run bench`: every timing the project holds itself to, as ratios measured in one run. Prints a table and never
 * fails on a miss: machines differ, and a row that misses its target is to be looked at, not hidden.
 */
import { episodeRows } from './episode.ts';
import { instanceRows } from './instances.ts';
import { inventoryRows } from './inventory.ts';
import { logRows } from './log-compression.ts';
import { kept, table } from './measure.ts';
import { modelRows } from './models.ts';
import { navigatorRows } from './navigator.ts';
import { promptRows } from './prompts.ts';
import { resultRows } from './results.ts';
import { runRows } from './runs.ts';
import { serverRows } from './server.ts';
import { servingRows } from './serving.ts';
import { splitRows } from './split.ts';
import { transcriptRows } from './transcripts.ts';
import { twoHopRows } from './two-hop.ts';

const rows = [
  ...navigatorRows(),
  ...logRows(),
  ...inventoryRows(),
  ...(await splitRows()),
  ...(await serverRows()),
  ...(await instanceRows()),
  ...(await transcriptRows()),
  ...(await promptRows()),
  ...(await modelRows()),
  ...(await runRows()),
  ...episodeRows(),
  ...(await resultRows()),
  ...twoHopRows(),
  ...servingRows(),
];
console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}\n`);
console.log(table(rows));
console.error(`(checksum ${kept()})`);
