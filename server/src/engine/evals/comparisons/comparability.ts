/** What keeps the figures of two runs from being held against each other. */
import { counted, grouped } from '../../text/numbers.ts';
import { canonicalJson } from '../identity.ts';
import { countEpisodes, type Run, type RunAgent, type RunInfo } from '../run-data.ts';
import type { Pairing } from './pairing.ts';

export type WarningCode =
  | 'generator'
  | 'options'
  | 'instances'
  | 'changed-instances'
  | 'no-hashes'
  | 'partial'
  | 'errors'
  | 'rollouts'
  | 'several-causes'
  | 'same-run';

/** A reason to trust a comparison less. */
export interface Warning {
  readonly code: WarningCode;
  /** One sentence, with names and numbers. */
  readonly message: string;
}

/** Something that two runs were asked differently. */
export interface Change {
  /** `prompt`, `model`, `sampling`, `policy`, `seed`, `body`, or `option` and the key. */
  readonly what: string;
  /** As texts; a prompt by its name and the start of its hash. */
  readonly a: string;
  readonly b: string;
}

/** What the agent of each run was told or set to, where that differs. */
export function changesBetween(a: RunInfo, b: RunInfo): readonly Change[] {
  const changes: Change[] = [];
  const add = (what: string, left: string, right: string) => {
    if (left !== right) changes.push({ what, a: left, b: right });
  };
  if (a.prompt?.hash !== b.prompt?.hash) add('prompt', promptName(a), promptName(b));
  add('method', a.stream?.method ?? nothingIn(a), b.stream?.method ?? nothingIn(b));
  const ours = describeAgent(a.agent);
  const theirs = describeAgent(b.agent);
  for (const what of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    add(what, ours[what] ?? nothingIn(a), theirs[what] ?? nothingIn(b));
  }
  for (const key of [...new Set([...Object.keys(a.options), ...Object.keys(b.options)])].sort()) {
    add(`option ${key}`, valueText(a.options[key]), valueText(b.options[key]));
  }
  add('option judge model', a.judge ?? nothingIn(a), b.judge ?? nothingIn(b));
  return changes;
}

/** Runs of other programs do not say everything. */
function nothingIn({ format }: RunInfo): string {
  return format === 'hopscope' || format === 'stream' ? 'none' : 'not recorded';
}

function promptName(info: RunInfo): string {
  const { prompt } = info;
  if (prompt === null) return nothingIn(info);
  const [, digits = prompt.hash] = prompt.hash.split(':');
  return `${prompt.name} (${digits.slice(0, 8)})`;
}

function describeAgent(agent: RunAgent): Readonly<Record<string, string>> {
  if (agent.kind === 'policy') return { policy: agent.policy, seed: agent.seed };
  const sampling = canonicalJson(agent.sampling);
  return { model: agent.model, sampling, body: canonicalJson(agent.extraBody) };
}

function valueText(value: unknown): string {
  return value === undefined ? 'default' : canonicalJson(value);
}

/** Everything to be said before the figures of a comparison are believed, gravest first. */
export function warningsFor(
  a: Run,
  b: Run,
  pairing: Pairing,
  changes: readonly Change[],
): readonly Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: WarningCode, message: string) => warnings.push({ code, message });
  if (a.info.generatorVersion !== b.info.generatorVersion) {
    const [left, right] = [a, b].map(({ info }) => info.generatorVersion ?? 'another generator');
    warn('generator', `The instances were made by different generators: ${left} and ${right}.`);
  }
  const options = changes.filter(({ what }) => what.startsWith('option '));
  if (options.length > 0) {
    const list = options.map((it) => `${it.what.slice('option '.length)} ${it.a} and ${it.b}`).join(', ');
    warn('options', `The runs were played under different options: ${list}.`);
  }
  const { onlyA, onlyB, unscored, changed, byId, pairs } = pairing;
  if (onlyA + onlyB > 0) {
    const alone = `${counted(onlyA, 'instance')} only in the first run, ${grouped(onlyB)} only in the second`;
    warn('instances', `The runs are on different instances: ${alone}. Only ${pairs.length} are compared.`);
  }
  if (changed > 0) {
    const have = changed === 1 ? 'has' : 'have';
    warn(
      'changed-instances',
      `${counted(changed, 'instance')} ${have} the same id in both runs but not the same content.`,
    );
  }
  if (byId)
    warn('no-hashes', 'A run does not say what its instances were made of: they were matched by id alone.');
  for (const [name, run] of [
    ['first', a],
    ['second', b],
  ] as const) {
    const counts = countEpisodes(run.episodes, run.info.requested);
    const of = `of ${grouped(counts.requested)} episodes of the ${name} run`;
    if (counts.unfinished > 0) warn('partial', `${grouped(counts.unfinished)} ${of} are not finished.`);
    const tooLarge = run.episodes.filter(({ cause }) => cause === 'prompt-too-large').length;
    if (tooLarge > 0) {
      warn('errors', `${grouped(tooLarge)} ${of} had a prompt too large to send and are in no figure.`);
    }
    const failed = counts.errored - tooLarge;
    if (failed > 0) {
      warn(
        'errors',
        `${grouped(failed)} ${of} failed at the provider and are in no figure; retry them with resume.`,
      );
    }
  }
  if (unscored > 0 && !warnings.some(({ code }) => code === 'partial' || code === 'errors')) {
    warn('partial', `${counted(unscored, 'instance')} lack a score in one of the runs.`);
  }
  if (a.info.rollouts !== b.info.rollouts) {
    warn(
      'rollouts',
      `The first run has ${a.info.rollouts} and the second ${b.info.rollouts} rollouts for each instance.`,
    );
  }
  const kinds = changes.filter(({ what }) => !what.startsWith('option ')).map(({ what }) => what);
  if (kinds.length > 1) {
    warn(
      'several-causes',
      `More than one thing differs (${kinds.join(', ')}): the difference cannot be put down to any one.`,
    );
  }
  if (a.info.identity !== null && a.info.identity === b.info.identity) {
    warn('same-run', 'Both runs ask the same of the same agent: any difference is chance.');
  }
  return warnings;
}
