/** `hopscope validate ENVIRONMENT`: whether what an environment makes of its splits is sound, down to its own grader. */
import type { Environment } from '../../engine/environments/environment.ts';
import type { Findings } from '../../engine/evals/examination.ts';
import { visible } from '../../engine/text/visible.ts';
import { examineAll } from '../../host/examine.ts';
import type { ExamineBatch } from '../../host/instance-tasks.ts';
import type { RawOptions } from '../arguments.ts';
import type { ExitCode } from '../command.ts';
import type { Shell } from '../shell.ts';
import { counted, grouped } from '../table.ts';
import { type SplitChoice, splitMembers, type WorkersChoice } from './selection.ts';

export interface SplitsChoice extends SplitChoice, WorkersChoice {
  readonly option?: RawOptions;
  readonly json?: boolean;
}

/** Unsound instances of a split listed one by one; of more only the number is told. */
const listed = 20;

/** Instances of one message to a worker. */
const batchSize = 16;

/** Validates the chosen members of the chosen splits, of all splits unless some are named. */
export async function validateSplits(
  environment: Environment,
  choice: SplitsChoice,
  shell: Shell,
): Promise<ExitCode> {
  const split = choice.split ?? environment.splits.map(({ id }) => id);
  let isSound = true;
  for (const { split: name, indices } of splitMembers(environment, { ...choice, split })) {
    const batches: ExamineBatch[] = [];
    for (let at = 0; at < indices.length; at += batchSize) {
      batches.push({ split: name, indices: indices.slice(at, at + batchSize) });
    }
    const { workers, option: options = {} } = choice;
    const request = { environment, label: name, batches, problems: [], audit: false, options };
    const progress = shell.progress(`validate ${name}`, indices.length);
    const settings = { script: shell.worker, workers, signal: shell.signal };
    let found: Findings;
    try {
      found = await examineAll(request, settings, (done) => progress.update(done));
    } finally {
      progress.clear();
    }
    for (const problem of found.problems) shell.problem(problem);
    isSound &&= found.unsound.length === 0 && found.instances > 0;
    const text = choice.json ? `${JSON.stringify(jsonOf(name, found))}\n` : describe(name, found);
    await shell.out.write(text);
  }
  return isSound && shell.problems === 0 ? 0 : 1;
}

function jsonOf(split: string, { instances, unsound }: Findings): object {
  return { split, instances, sound: instances - unsound.length, unsound };
}

/** E.g. `train: 2,000 sound`, below what is not. */
function describe(split: string, { instances, unsound }: Findings): string {
  const lines = unsound
    .slice(0, listed)
    .map(({ id, reasons }) => visible(`${split}: ${id} is not sound: ${reasons.join(', ')}`));
  if (unsound.length > listed)
    lines.push(`… and ${grouped(unsound.length - listed)} more that are not sound`);
  const not = unsound.length === 0 ? '' : `, ${counted(unsound.length, 'instance')} not`;
  return [...lines, `${split}: ${grouped(instances - unsound.length)} sound${not}`, ''].join('\n');
}
