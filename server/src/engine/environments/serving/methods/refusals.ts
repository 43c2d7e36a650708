/** Remembers what the scripted agent `remembering` said it tried, and how that went. */
import protocol from '../../../../../../prompts/serving/protocol.json' with { type: 'json' };
import type { Experience, Method } from '../../streams.ts';
import { printTrial } from '../policies/trials.ts';

/** More would only be older. */
const KEPT = 400;

const said = /Taken as (.*)\. Course: (.*)\./;

function trialOf({ record, timestamp, reward }: Experience): string[] {
  const [, key, course] = said.exec(record) ?? [];
  return key === undefined || course === undefined ? [] : [printTrial(timestamp, key, course, reward * 100)];
}

export const refusals: Method<readonly string[]> = {
  id: 'refusals',
  description:
    'Remembers what was tried on which kind of task and whether it was right; needs an agent that says so.',
  learns: true,
  privileged: false,
  start: () => [],
  context: (trials) => (trials.length === 0 ? '' : [protocol.methods.trials_heading, ...trials].join('\n')),
  describe: (trials) => trials.join('\n'),
  update: (trials, block) => [...trials, ...block.flatMap(trialOf)].slice(-KEPT),
};
