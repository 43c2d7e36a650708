/** What runs in a worker thread. Bundled on its own, beside the programs that start it. */
import { Transfer, worker } from 'workerpool';
import { examine, indexFile, makeInstance } from './instance-tasks.ts';
import { prepare } from './run-tasks.ts';
import { tallyRun } from './runs/tally-task.ts';
import { audit, baselines, type GenerateJob, generate, play } from './tasks.ts';
import { teach } from './teach-task.ts';

worker({
  audit,
  baselines,
  play,
  examine,
  indexFile,
  makeInstance,
  prepare,
  teach,
  tallyRun,
  generate(job: GenerateJob) {
    const result = generate(job);
    return new Transfer(result, [result.bytes.buffer]);
  },
});
