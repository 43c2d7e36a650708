/** Writing a run of another program in the format it does not have. Lines are gone through one at a time. */
import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { resultOfTrace, traceOfResult } from '../../engine/evals/formats/convert.ts';
import { runMetadata } from '../../engine/evals/formats/metadata.ts';
import { summarizeRun } from '../../engine/evals/run-summary.ts';
import { explain, Failure } from '../failure.ts';
import { writeWhole } from './atomic.ts';
import type { DerivedTarget } from './derived.ts';
import { files } from './folder.ts';
import { type ReadOptions, type RunPlace, readForeignRows, readRun } from './read-run.ts';

/**
 * Writes what `target` asks for; a file in the format that the run has is copied.
 *
 * @throws Failure when the run cannot be read or the files cannot be written.
 */
export async function convertRun(
  { folder, format }: RunPlace,
  target: DerivedTarget,
  options: ReadOptions & { readonly version: string },
): Promise<void> {
  if (format === 'hopscope') throw new RangeError('a run of our own');
  if (format === 'stream') {
    throw new Failure('request', `${folder} are streams, whose files are in a published format already.`);
  }
  const source = join(folder, files[format]);
  const { info, episodes } = await readRun(source, options);
  for (const wanted of ['traces', 'results'] as const) {
    if (!target[wanted]) continue;
    const path = join(target.into, files[wanted]);
    if (wanted === format) await copy(source, path);
    else {
      const examples = new Map<string, number>();
      await writeWhole(path, async (file) => {
        for await (const { value, episode } of readForeignRows(folder, format, {
          ...options,
          problem: () => undefined,
        })) {
          const { instanceId } = episode;
          const example = examples.get(instanceId) ?? examples.size;
          examples.set(instanceId, example);
          const row =
            wanted === 'results'
              ? resultOfTrace(value, episode, example)
              : traceOfResult(value, episode, info.id, info.environment);
          await file.writeFile(`${JSON.stringify(row)}\n`);
        }
      });
    }
  }
  if (!target.results || format === 'results') return;
  const facts = { version: options.version, time: 0, cost: null };
  const metadata = runMetadata(info, summarizeRun({ info, episodes }, []), facts);
  await writeWhole(join(target.into, files.metadata), async (file) => {
    await file.writeFile(`${JSON.stringify(metadata, null, 2)}\n`);
  });
}

async function copy(from: string, to: string): Promise<void> {
  if (resolve(from) === resolve(to)) return;
  await copyFile(from, to).catch((error) => {
    throw new Failure('run', `Cannot write ${to}: ${explain(error)}.`);
  });
}
