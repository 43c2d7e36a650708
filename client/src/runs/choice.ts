/** What is to be run: chosen by a person, remembered, and turned into the arguments of the headless command. */
import path from 'node:path';
import { isObject } from './child.ts';

/** Who plays. */
export type AgentChoice =
  | { readonly policy: string }
  /** An empty name stands for the model that the step prompt names. */
  | { readonly model: string; readonly baseUrl: string };

export interface EvalChoice {
  /** Paths of step prompts; several are played side by side on the same instances. */
  readonly prompts: readonly string[];
  readonly agent: AgentChoice;
  /** A split by its name, or a suite by its path. */
  readonly instances: { readonly split: string } | { readonly suite: string };
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
    'split' in instances ? `--split=${instances.split}` : `--suite=${instances.suite}`,
    ...(count === null ? [] : [`--count=${count}`]),
    ...(estimate ? ['--estimate'] : []),
    '--',
    ...choice.prompts.map((file) => shortened(file, settings.base)),
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
}: Readonly<Record<string, unknown>>): EvalChoice['instances'] | undefined {
  if (typeof split === 'string') return { split };
  return typeof suite === 'string' ? { suite } : undefined;
}

/** In a few words, e.g. `terse · gpt-5-mini · 20 of id_test`. */
export function describeChoice({ prompts, agent, instances, count }: EvalChoice): string {
  const names = prompts.map(promptName).join(' and ');
  const who = 'policy' in agent ? agent.policy : agent.model || "the prompt's model";
  const where = 'split' in instances ? instances.split : path.basename(instances.suite, '.suite.json');
  return [names, who, count === null ? where : `${count} of ${where}`]
    .filter((part) => part !== '')
    .join(' · ');
}

/** A step prompt's file name without its ending. */
export function promptName(file: string): string {
  return path.basename(file).replace(/(\.step)?\.md$/, '');
}
