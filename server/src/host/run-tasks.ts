/** What worker threads do for runs: making ready the instance of an episode. As in tasks.ts, plain messages in and out. */
import { createHash } from 'node:crypto';
import type { AnyInstance } from '../engine/environments/environment.ts';
import type { InstanceNote } from '../engine/evals/formats/step-lines.ts';
import { canonicalJson } from '../engine/evals/identity.ts';
import { groupsOf } from '../engine/evals/summarize.ts';
import { accept, type Checked, refuse } from '../engine/problem.ts';
import { findEnvironment } from './data/environments.ts';
import { parseInstance, unsoundness } from './instance-index.ts';

/** An instance to be generated, or the line of a file that holds it. */
export interface PrepareJob {
  readonly environment: string;
  /** As the user gave them. */
  readonly options: unknown;
  readonly from:
    | { readonly split: string; readonly index: number }
    /** `name` as in messages, e.g. `a.jsonl line 3`. */
    | { readonly name: string; readonly text: string };
}

export interface Prepared {
  readonly instance: AnyInstance;
  readonly note: InstanceNote;
}

/** As `hashInstance` of the engine, several times faster. */
function hashOf(instance: AnyInstance): string {
  return `sha256:${createHash('sha256').update(canonicalJson(instance)).digest('hex')}`;
}

/** The instance and what a run notes of it; the error is a sentence. One that is not sound is refused. */
export function prepare({ environment: id, options: raw, from }: PrepareJob): Checked<Prepared> {
  const environment = findEnvironment(id);
  if (environment === undefined) return refuse(`There is no environment ${id}.`);
  const options = environment.parseOptions(raw);
  if (!options.ok) return refuse(`Bad options: ${options.error}.`);
  const noted = (instance: AnyInstance, index: number | null): Prepared => ({
    instance,
    note: {
      id: instance.id,
      hash: hashOf(instance),
      split: instance.split,
      index,
      groups: groupsOf(environment, instance),
      minSteps: environment.minSteps(instance),
    },
  });
  if ('split' in from) {
    const made = environment.generate(from.split, from.index, options.value);
    if (made.ok) return accept(noted(made.value.instance, from.index));
    return refuse(`There is no instance ${from.index} of ${from.split}: ${made.error}.`);
  }
  const read = parseInstance(environment, from.text);
  if (!read.ok) return refuse(`${from.name} ${read.error}.`);
  const reasons = unsoundness(environment, read.value);
  if (reasons.length === 0) return accept(noted(read.value, null));
  return refuse(`${from.name} holds ${read.value.id}, which is not sound (${reasons.join(', ')}).`);
}
