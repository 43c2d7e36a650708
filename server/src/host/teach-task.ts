/** Playing episodes to learn from, in a worker thread. */
import { type Taught, teach as teachInstance } from '../engine/evals/teach.ts';
import { preparePrompt } from '../engine/prompts/render-prompt.ts';
import { parseStepPrompt } from '../engine/prompts/step-prompt.ts';
import { forEachInstance, type Job, type TaskResult } from './batches.ts';

export interface TeachResult extends TaskResult {
  /** Instance by instance, each with its episodes in the order of the teacher's policies. */
  readonly taught: readonly (readonly Taught[])[];
}

export interface TeachJob extends Job {
  /** Text of the step prompt. */
  readonly prompt: string;
  readonly seed: string;
}

/** Plays every instance with every policy of its environment's teacher. */
export function teach(job: TeachJob): TeachResult {
  const prompt = preparePrompt(parseStepPrompt(job.prompt).prompt);
  const taught: (readonly Taught[])[] = [];
  const result = forEachInstance(job, ({ environment, instance, options }) => {
    const { teacher } = environment;
    if (teacher === undefined) throw new Error(`${environment.id} has no teacher`);
    taught.push(teachInstance(environment, teacher, instance, options, prompt, job.seed));
  });
  return { ...result, taught };
}
