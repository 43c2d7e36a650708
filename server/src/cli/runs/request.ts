/** Making the runs that a command line asks for: prompts, agents and instances, all checked before anything is written. */
import { basename } from 'node:path';
import manifest from '../../../../package.json' with { type: 'json' };
import { versionOf } from '../../engine/environments/data-set.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import { checkSampling } from '../../engine/evals/check-sampling.ts';
import { hashText } from '../../engine/evals/identity.ts';
import type { RunRequest } from '../../engine/evals/run-config.ts';
import type { RunAgent, RunPrompt } from '../../engine/evals/run-data.ts';
import type { Suite } from '../../engine/evals/suites.ts';
import { checkStepPrompt } from '../../engine/prompts/check-prompt.ts';
import { parseStepPrompt, type StepPrompt } from '../../engine/prompts/step-prompt.ts';
import { suggest } from '../../engine/text/nearest.ts';
import { environments } from '../../host/data/environments.ts';
import { Failure } from '../../host/failure.ts';
import type { Pool } from '../../host/pool.ts';
import { readText } from '../../host/text-file.ts';
import type { RawOptions } from '../arguments.ts';
import { chooseEnvironment, type EnvironmentChoice, refuseIdleOptions } from '../instances/selection.ts';
import { chosenBaseUrl } from './model.ts';
import { chooseParts, type InstancesChoice, readSuite } from './parts.ts';

/** What is asked for. */
export interface RunChoice extends EnvironmentChoice, InstancesChoice {
  /** Files of step prompts. */
  readonly prompts: readonly string[];
  readonly model?: readonly string[];
  readonly policy?: readonly string[];
  readonly baseUrl?: string;
  readonly sampling?: RawOptions;
  readonly extraBody?: Readonly<Record<string, unknown>>;
  /** The model that judges where a list of phrases or a person would. */
  readonly judgeModel?: string;
  readonly rollouts: number;
  /** For policies. */
  readonly seed: string;
  /** Names of the options that were given, not of those that hold by default. */
  readonly given?: readonly string[];
}

export type NewRun = Omit<RunRequest, 'id' | 'created'>;

/** A step prompt as it is recorded and as it was understood. */
export interface ReadPrompt {
  readonly run: RunPrompt;
  readonly parsed: StepPrompt;
}

/**
 * One run for each prompt and agent, in that order, all on the same instances.
 *
 * @throws Failure for the first thing that is wrong.
 */
export async function requestRuns(
  choice: RunChoice,
  pool: Pool,
  signal?: AbortSignal,
): Promise<readonly NewRun[]> {
  const prompts = await Promise.all(choice.prompts.map((path) => readPrompt(path, signal)));
  const suite = choice.suite === undefined ? null : await readSuite(choice.suite, signal);
  const environment = environmentOf(choice, prompts, suite);
  refuseIdleOptions(environment, choice, {
    makes: choice.instances === undefined,
    plays: true,
    command: 'eval',
  });
  const splits = new Set(prompts.flatMap(({ parsed }) => parsed.split ?? []));
  const agents = agentsOf(choice, environment, prompts);
  const [split] = splits;
  const optionsFor = (prompt: ReadPrompt | null): RawOptions => {
    return { ...prompt?.parsed.options, ...suite?.options, ...judgedOptions(environment, choice) };
  };
  const { label, parts } = await chooseParts(environment, choice, suite, pool, {
    split: splits.size === 1 ? (split ?? null) : null,
    // A whole split is thousands of requests: nobody is to ask a model for that without having said so.
    count: agents.some(({ agent }) => agent.kind === 'model') ? modelCount : null,
    options: optionsFor(prompts[0] ?? null),
  });
  return agents.map(({ agent, prompt }) => {
    const options = optionsFor(prompt);
    const checked = environment.parseOptions(options);
    if (!checked.ok) throw new Failure('request', `Bad options: ${checked.error}.`);
    return {
      version: manifest.version,
      environment: environment.id,
      generatorVersion: environment.generatorVersion,
      ...(environment.data === undefined ? {} : { data: versionOf(environment.data.set) }),
      ...(choice.judgeModel === undefined ? {} : { judge: choice.judgeModel }),
      options,
      label,
      suite: suite?.name ?? null,
      parts,
      rollouts: choice.rollouts,
      shuffleSeed: choice.shuffleSeed ?? null,
      agent,
      prompt: prompt?.run ?? null,
    };
  });
}

/** How many instances of a split a model plays unless more are asked for. */
export const modelCount = 20;

/** Reads a step prompt. @throws Failure for the first error in it, with its line. */
export async function readPrompt(path: string, signal?: AbortSignal): Promise<ReadPrompt> {
  const text = await readText(path, signal);
  if (!text.ok) throw new Failure('request', `${path} ${text.error}.`);
  const { prompt, problems } = parseStepPrompt(text.value);
  const wrong = [...problems, ...checkStepPrompt(prompt, environments)].find((it) => it.severity === 'error');
  if (wrong !== undefined) {
    const line = text.value.slice(0, wrong.start).split('\n').length;
    throw new Failure('request', `${path} line ${line}: ${wrong.message}`);
  }
  const name = path === '-' ? 'standard-input' : basename(path).replace(/(\.step)?\.md$/, '');
  return { run: { name, path, text: text.value, hash: hashText(text.value) }, parsed: prompt };
}

/** The environment that all prompts and the suite are for. */
function environmentOf(choice: RunChoice, prompts: readonly ReadPrompt[], suite: Suite | null): Environment {
  const named = new Set(prompts.map(({ parsed }) => parsed.environment));
  if (suite !== null) named.add(suite.environment);
  if (choice.given?.includes('environment')) named.add(choice.environment);
  if (named.size > 1) {
    throw new Failure('request', `These are for different environments: ${[...named].join(', ')}.`);
  }
  const [environment = choice.environment] = named;
  return chooseEnvironment({ ...choice, environment });
}

/**
 * The options that were given, with the judge that was named.
 *
 * @throws Failure where nobody judges, or another judge is asked for as well.
 */
export function judgedOptions(
  environment: Environment,
  { judgeModel, option = {} }: Pick<RunChoice, 'judgeModel' | 'option'>,
): RawOptions {
  if (judgeModel === undefined) return option;
  if (!environment.optionFields?.some(({ key }) => key === 'judge')) {
    throw new Failure('request', `Nobody judges the episodes of ${environment.id}: leave --judge-model out.`);
  }
  if (Object.hasOwn(option, 'judge') && option['judge'] !== 'model') {
    throw new Failure('request', `--judge-model has no effect with judge=${option['judge']}: leave one out.`);
  }
  return { judge: 'model', ...option };
}

/** Who plays, and with which prompt. */
function agentsOf(
  choice: RunChoice,
  environment: Environment,
  prompts: readonly ReadPrompt[],
): readonly { readonly agent: RunAgent; readonly prompt: ReadPrompt | null }[] {
  const { policy, seed } = choice;
  if (policy !== undefined) {
    if (choice.model !== undefined) throw new Failure('request', 'Name models or policies, not both.');
    if (choice.judgeModel !== undefined) {
      throw new Failure('request', 'Policies are not judged by a model: leave --judge-model out.');
    }
    checkPolicies(environment, policy);
    const scripted = policy.map((id): RunAgent => ({ kind: 'policy', policy: id, seed }));
    if (prompts.length === 0) return scripted.map((agent) => ({ agent, prompt: null }));
    return prompts.flatMap((prompt) => scripted.map((agent) => ({ agent, prompt })));
  }
  if (prompts.length === 0) {
    throw new Failure('request', 'Name a step prompt for a model to play with, or policies with --policy.');
  }
  const given = checkSampling(choice.sampling ?? {});
  if (!given.ok) throw new Failure('request', `Bad --sampling: ${given.error}.`);
  const baseUrl = chosenBaseUrl(choice.baseUrl);
  if (baseUrl === null) {
    throw new Failure('request', 'Say where the model is with --base-url or in HOPSCOPE_BASE_URL.');
  }
  return prompts.flatMap((prompt) => {
    const models = choice.model ?? (prompt.parsed.model === null ? [] : [prompt.parsed.model]);
    if (models.length === 0) {
      throw new Failure('request', `Name a model with --model: ${prompt.run.path} does not.`);
    }
    return models.map((model) => {
      const sampling = { ...prompt.parsed.sampling, ...given.value };
      return {
        agent: { kind: 'model', model, baseUrl, sampling, extraBody: choice.extraBody ?? {} },
        prompt,
      };
    });
  });
}

/** @throws Failure with the nearest name for one that the environment does not have. */
export function checkPolicies(environment: Environment, ids: readonly string[]): void {
  const known = environment.policies.map((it) => it.id);
  for (const id of ids) {
    if (known.includes(id)) continue;
    throw new Failure('request', `${environment.id} has no policy ${id}.${suggest(id, known)}`);
  }
}
