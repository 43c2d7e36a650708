/** What runs in a worker thread. Bundled on its own, beside the programs that start it. */
import { Transfer, worker } from 'workerpool';
import * as tasks from './tasks.ts';

worker({
  ...tasks,
  generate(job: tasks.GenerateJob) {
    const result = tasks.generate(job);
    return new Transfer(result, [result.bytes.buffer]);
  },
});
