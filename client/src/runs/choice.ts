/** What is to be run: chosen by a person, remembered, and turned into the arguments of the headless command. */
import path from 'node:path';
import type { StreamResume } from '../../../server/src/protocol.ts';
import { isObject } from './child.ts';

/** Who plays. */
export type AgentChoice =
  | { readonly policy: string }
  /** An empty name stands for the model that the step prompt names. */
  | { readonly model: string; readonly baseUrl: string };

export interface StreamChoice {
  /** The environment whose streams they are. */
  readonly environment: string;
  readonly streams: readonly string[];
  /** A shipped one by its name, or one of the person's own by the path of its file. */
  readonly method: string;
}

/** Whether a method is a file of the person's own, which is run: only in a folder that is trusted. */
export function isOwnMethod(method: string): boolean {
  return /[\\/.]/.test(method);
}

export interface EvalChoice {
  /** Paths of step prompts; several are played side by side on the same instances. */
  readonly prompts: readonly string[];
  readonly agent: AgentChoice;
  /** A split by its name, a suite by its path, or streams with the method that learns from them. */
  readonly instances: { readonly split: string } | { readonly suite: string } | StreamChoice;
  /** How many of them; null for all. */
  readonly count: number | null;
}

/** What goes along with every run. */
export interface EvalSettings {
  /** Folder that the paths of step prompts are written from in the run's own records. */
  readonly base: string;
  readonly runs: string;
  readonly prices: string | null;
  readonly concurrency: number;
}

/** Whether a model is asked, which may cost money. */
export function baseUrlOf({ agent }: EvalChoice): string | undefined {
  return 'baseUrl' in agent ? agent.baseUrl : undefined;
}

/** Arguments that play it, or only say what it would take. Values stand behind `=`, so that none is taken for an option. */
export function evalArguments(choice: EvalChoice, settings: EvalSettings, estimate: boolean): string[] {
  const { agent, instances, count } = choice;
  return [
    'eval',
    // Policies ask nobody, so no price has an effect.
    ...modelArguments('policy' in agent ? { ...settings, prices: null } : settings),
    `--out=${settings.runs}`,
    ...('policy' in agent ? [`--policy=${agent.policy}`] : [`--base-url=${agent.baseUrl}`]),
    ...('model' in agent && agent.model !== '' ? [`--model=${agent.model}`] : []),
    ...instanceArguments(instances, settings.base),
    ...(count === null ? [] : [`--count=${count}`]),
    ...(estimate ? ['--estimate'] : []),
    '--',
    // Policies read no step prompt on streams.
    ...('streams' in instances && 'policy' in agent
      ? [instances.environment]
      : choice.prompts.map((file) => shortened(file, settings.base))),
  ];
}

function instanceArguments(instances: EvalChoice['instances'], base: string): string[] {
  if ('split' in instances) return [`--split=${instances.split}`];
  if ('suite' in instances) return [`--suite=${instances.suite}`];
  const { method, streams } = instances;
  const name = isOwnMethod(method) ? beside(shortened(method, base)) : method;
  return [`--method=${name}`, `--stream=${streams.join(',')}`, '--brief'];
}

/** A file in the folder itself, told from a name. */
function beside(file: string): string {
  return /[\\/]/.test(file) ? file : `./${file}`;
}

/** What going on with streams takes. */
export interface StreamToResume {
  readonly environment: string;
  /** The folder that the folders of models lie in. */
  readonly out: string;
  readonly agent: {
    readonly kind: 'model' | 'policy';
    readonly name: string;
    readonly baseUrl: string | null;
  };
  readonly resume: StreamResume;
}

/** Arguments that go on with streams, or only say what playing all of them would take. */
export function streamArguments(
  { environment, out, agent, resume }: StreamToResume,
  settings: Pick<EvalSettings, 'prices' | 'concurrency'>,
): string[] {
  const { method, streams, windows, options, promptPath, seed, judge, published } = resume;
  const isPolicy = agent.kind === 'policy';
  return [
    'eval',
    ...modelArguments(isPolicy ? { ...settings, prices: null } : settings),
    `--out=${out}`,
    ...(isPolicy ? [`--policy=${agent.name}`] : [`--model=${agent.name}`]),
    ...(agent.baseUrl === null ? [] : [`--base-url=${agent.baseUrl}`]),
    ...(seed === null ? [] : [`--seed=${seed}`]),
    `--method=${method}`,
    `--stream=${streams.join(',')}`,
    ...(windows === null ? [] : [`--windows=${windows.join(',')}`]),
    ...(judge === null ? [] : [`--judge-model=${judge}`]),
    ...(published === null ? [] : [published === true ? '--published' : `--published=${published}`]),
    ...Object.entries(options).map(
      ([key, value]) => `--option=${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
    '--brief',
    '--',
    isPolicy || promptPath === null ? environment : promptPath,
  ];
}

/** Arguments that go on with a run. @param baseUrl where its model is asked, if it has one. */
export function resumeArguments(
  folder: string,
  baseUrl: string | null,
  settings: Pick<EvalSettings, 'prices' | 'concurrency'>,
): string[] {
  const where = baseUrl === null ? [] : [`--base-url=${baseUrl}`];
  return ['resume', ...modelArguments(settings), ...where, '--', folder];
}

function modelArguments({ prices, concurrency }: Pick<EvalSettings, 'prices' | 'concurrency'>): string[] {
  return [
    '--json',
    '--until-eof',
    `--concurrency=${concurrency}`,
    ...(prices === null ? [] : [`--prices=${prices}`]),
  ];
}

/** A path from `base` where the file is below it: records of runs are not to tell where somebody keeps their files. */
function shortened(file: string, base: string): string {
  const relative = path.relative(base, file);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative) ? relative : file;
}

/** What is remembered is checked: an earlier version may have written it. */
export function readChoice(kept: unknown): EvalChoice | undefined {
  if (!isObject(kept)) return undefined;
  const { prompts, agent, instances, count } = kept;
  if (!Array.isArray(prompts) || !prompts.every((file) => typeof file === 'string')) return undefined;
  if (count !== null && !(typeof count === 'number' && Number.isInteger(count) && count > 0))
    return undefined;
  const who = readAgent(agent);
  const where = isObject(instances) ? readInstances(instances) : undefined;
  return who && where && { prompts, agent: who, instances: where, count };
}

function readAgent(agent: unknown): AgentChoice | undefined {
  if (!isObject(agent)) return undefined;
  const { policy, model, baseUrl } = agent;
  if (typeof policy === 'string') return { policy };
  return typeof model === 'string' && typeof baseUrl === 'string' ? { model, baseUrl } : undefined;
}

function readInstances({
  split,
  suite,
  streams,
  method,
  environment,
}: Readonly<Record<string, unknown>>): EvalChoice['instances'] | undefined {
  if (typeof split === 'string') return { split };
  if (typeof method === 'string' && typeof environment === 'string' && Array.isArray(streams)) {
    return streams.every((it) => typeof it === 'string') ? { environment, streams, method } : undefined;
  }
  return typeof suite === 'string' ? { suite } : undefined;
}

/** In a few words, e.g. `terse · gpt-5-mini · 20 of id_test`. */
export function describeChoice({ prompts, agent, instances, count }: EvalChoice): string {
  const names = prompts.map(promptName).join(' and ');
  const who = 'policy' in agent ? agent.policy : agent.model || "the prompt's model";
  const where = instancesName(instances);
  return [names, who, count === null ? where : `${count} of ${where}`]
    .filter((part) => part !== '')
    .join(' · ');
}

function instancesName(instances: EvalChoice['instances']): string {
  if ('split' in instances) return instances.split;
  if ('suite' in instances) return path.basename(instances.suite, '.suite.json');
  const { method, streams } = instances;
  return `${path.basename(method)} on ${streams.length > 1 ? `${streams.length} streams` : (streams[0] ?? 'no stream')}`;
}

/** A step prompt's file name without its ending. */
export function promptName(file: string): string {
  return path.basename(file).replace(/(\.step)?\.md$/, '');
}
