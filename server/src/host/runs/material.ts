/** What a run is played and shown with: its environment, options, prompt and plan, made ready from its configuration. */
import { versionOf } from '../../engine/environments/data-set.ts';
import type { AnyInstance, Environment } from '../../engine/environments/environment.ts';
import type { TaskRecord } from '../../engine/evals/fold.ts';
import { resultRow } from '../../engine/evals/formats/result-row.ts';
import { traceEpisode } from '../../engine/evals/formats/trace-row.ts';
import { canonicalJson } from '../../engine/evals/identity.ts';
import { type PlannedTask, planTasks } from '../../engine/evals/plan.ts';
import { statesOf } from '../../engine/evals/play-task.ts';
import { type Asker, openAsker } from '../../engine/evals/responder.ts';
import type { RunConfig } from '../../engine/evals/run-config.ts';
import { type PromptRenderer, preparePrompt } from '../../engine/prompts/render-prompt.ts';
import { parseStepPrompt } from '../../engine/prompts/step-prompt.ts';
import { findEnvironment } from '../data/environments.ts';
import { Failure } from '../failure.ts';
import type { DerivedRows } from './derived.ts';

export interface RunMaterial {
  readonly config: RunConfig;
  readonly environment: Environment;
  /** Checked. */
  readonly options: unknown;
  /** Null for a policy that was given no prompt. */
  readonly prompt: PromptRenderer | null;
  /** Asks in the words of the prompt, where there is one. */
  readonly ask: Asker<unknown> | null;
  readonly plan: readonly PlannedTask[];
}

/** @throws Failure when this version cannot play what the configuration says. */
export function materialOf(config: RunConfig): RunMaterial {
  const environment = findEnvironment(config.environment);
  if (environment === undefined) {
    throw new Failure(
      'request',
      `Run ${config.id} is of ${config.environment}, which this version does not know.`,
    );
  }
  if (config.generatorVersion !== environment.generatorVersion) {
    const versions = `generator ${config.generatorVersion}, this version has ${environment.generatorVersion}`;
    throw new Failure('request', `Run ${config.id} was begun with ${versions}: begin a new run.`);
  }
  if (canonicalJson(config.data) !== canonicalJson(environment.data && versionOf(environment.data.set))) {
    const sentence = `Run ${config.id} was begun with other data than this version takes: begin a new run.`;
    throw new Failure('request', sentence);
  }
  const options = environment.parseOptions(config.options);
  if (!options.ok) throw new Failure('request', `Run ${config.id} has bad options: ${options.error}.`);
  const prompt = config.prompt === null ? null : preparePrompt(parseStepPrompt(config.prompt.text).prompt);
  const ask = prompt === null ? null : openAsker(environment, prompt);
  return { config, environment, options: options.value, prompt, ask, plan: planTasks(config) };
}

/** The public rows of an episode that ended or failed; `states` as in {@link traceEpisode}. */
export function rowsOf(
  { config, environment, ask, plan }: RunMaterial,
  record: TaskRecord,
  states: readonly unknown[],
): DerivedRows {
  const { task } = record.begin;
  const trace = traceEpisode({ config, environment, ask, record, states });
  return { trace, result: resultRow(trace, plan[task]?.example ?? task, task) };
}

/** The states that the recorded events of an episode lead through. */
export function replayRecord(
  { environment, options }: RunMaterial,
  { events }: Pick<TaskRecord, 'events'>,
  instance: AnyInstance,
): readonly unknown[] {
  return statesOf(
    environment,
    instance,
    options,
    events.map(({ event }) => event),
  );
}
