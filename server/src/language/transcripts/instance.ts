/** Finds the instance that a transcript was played on, from its front matter. */
import type { AnyInstance, Environment, InstanceOrigin } from '../../engine/environments/environment.ts';
import { optionsOfScope } from '../../engine/environments/option-fields.ts';
import type { InstanceText } from '../../engine/environments/view.ts';
import { hashInstance } from '../../engine/evals/identity.ts';
import { accept, type Checked, type Problem, refuse } from '../../engine/problem.ts';
import type { Range } from '../../engine/prompts/template.ts';
import { nearestName } from '../../engine/text/nearest.ts';
import type { ParsedTranscript } from '../../engine/transcripts/parse-transcript.ts';
import { fileBeside } from '../file-beside.ts';
import { optionProblems } from '../front-matter/option-problems.ts';
import type { Instances } from '../instances/instances.ts';
import { printFileInstanceUri, printInstanceUri } from '../instances/uri.ts';
import { asSentence } from '../sentence.ts';

/** What a transcript is replayed on. Of the same object as long as the front matter names the same. */
export interface TranscriptInstance {
  readonly environment: Environment;
  readonly instance: AnyInstance;
  readonly view: InstanceText;
  /** Of the instance's own document. */
  readonly uri: string;
  /** As the environment understands them. */
  readonly options: unknown;
  /** What of the front matter led here. */
  readonly key: string;
}

interface Found {
  readonly environment: Environment | undefined;
  readonly played: TranscriptInstance | undefined;
  /** The address of an instance that must be read from its file, or made elsewhere, first. */
  readonly wanted?: string;
  readonly problems: readonly Problem[];
}

/** What there is to look in. */
export interface Places {
  readonly environments: readonly Environment[];
  readonly instances: Instances;
  /** Address of the transcript itself: files are named relative to it. */
  readonly uri: string;
  /** Why the instance at an address could not be read from its file, as a sentence; undefined when that was not tried. */
  failure(address: string): string | undefined;
}

/**
 * Codes: `front-matter.unknown-environment`, `front-matter.option`, and
 *
 * - `transcript.unknown-instance`: there is no such instance, or the id is not that of the instance at this place
 * - `transcript.wrong-origin`: split, index (`data.expected`) or options are not those of the instance; the id decides
 * - `transcript.changed-instance`: the recorded hash is not that of the instance
 *
 * @param previous what an earlier version of the same file was played on
 */
export function findTranscriptInstance(
  parsed: ParsedTranscript,
  places: Places,
  previous: TranscriptInstance | undefined,
): Found {
  const { environments, instances } = places;
  const { transcript } = parsed;
  if (transcript.environment === '') return { environment: undefined, played: undefined, problems: [] };
  const environment = environments.find(({ id }) => id === transcript.environment);
  const nothing = (...found: readonly Problem[]): Found => ({
    environment,
    played: undefined,
    problems: found,
  });
  if (environment === undefined) return nothing(unknownEnvironment(parsed, environments));
  const options = environment.parseOptions(transcript.options);
  if (!options.ok) {
    const whole = problemAt(parsed, 'options', 'front-matter.option', options.error);
    return nothing(...optionProblems(parsed.layout.frontMatter, environment, whole));
  }
  if (transcript.instance === '') return nothing();
  const address = addressOf(parsed, environment, places);
  if (!address.ok) return nothing(unknownInstance(parsed, address.error));
  const { uri, origin } = address.value;
  const problems =
    origin === null
      ? []
      : [...originProblems(parsed, origin), ...contradictions(parsed, environment, origin)];
  const key = JSON.stringify([uri, transcript.options, origin === null ? instances.generation : 0]);
  if (previous?.key === key) {
    return { environment, played: previous, problems: [...problems, ...hashProblems(parsed, previous)] };
  }
  const opened = instances.isReady(uri) ? instances.open(uri) : undefined;
  if (!opened?.ok) {
    const failure = origin === null ? places.failure(uri) : opened?.error;
    if (failure === undefined) return { environment, played: undefined, wanted: uri, problems: [] };
    return nothing(unknownInstance(parsed, `There is no instance "${transcript.instance}": ${failure}`));
  }
  const { instance, view, environment: actual } = opened.value;
  if (actual !== environment) {
    return nothing(
      unknownInstance(parsed, `This instance is one of ${actual.id}, not of ${environment.id}.`),
    );
  }
  const played = { environment, instance, view, uri, options: options.value, key };
  return { environment, played, problems: [...problems, ...hashProblems(parsed, played)] };
}

/** Hashes of instances whose transcripts record one: taking it is a walk over the whole document. */
const hashes = new WeakMap<TranscriptInstance, string>();

function hashProblems(parsed: ParsedTranscript, played: TranscriptInstance): Problem[] {
  const { instance, instanceHash } = parsed.transcript;
  if (instanceHash === null) return [];
  const hash = hashes.get(played) ?? hashInstance(played.instance);
  hashes.set(played, hash);
  if (hash === instanceHash) return [];
  const message = `The instance "${instance}" is not what it was when this episode was played.`;
  const problem = problemAt(parsed, 'instance_hash', 'transcript.changed-instance', message);
  return [{ ...problem, severity: 'warning' }];
}

interface Address {
  readonly uri: string;
  /** Null for an instance in a file. */
  readonly origin: InstanceOrigin | null;
}

/** Where the instance is; the error is a sentence. */
function addressOf(
  { transcript }: ParsedTranscript,
  environment: Environment,
  { uri }: Places,
): Checked<Address> {
  const { instance: id, instances: file, split, index, options } = transcript;
  if (file !== null) {
    const address = fileBeside(uri, file);
    return address === undefined
      ? refuse(`The file "${file}" cannot be read from here.`)
      : accept({
          uri: printFileInstanceUri({ environment: environment.id, file: address, id }),
          origin: null,
        });
  }
  // What the id itself says counts; without that, split, index and options are needed.
  const origin =
    environment.locate?.(id) ?? (split === null || index === null ? null : { split, index, options });
  return origin === null
    ? refuse(`"${id}" is no id of a generated instance. Give split and index, or a file with "instances".`)
    : accept({ uri: printInstanceUri({ environment: environment.id, id, ...origin }), origin });
}

function originProblems(parsed: ParsedTranscript, origin: InstanceOrigin): Problem[] {
  const { split, index, instance } = parsed.transcript;
  const problems: Problem[] = [];
  const compare = (key: 'split' | 'index', said: string | number | null) => {
    const expected = origin[key];
    if (said === null || said === expected) return;
    const message = `The ${key} of "${instance}" is ${expected}.`;
    const problem = problemAt(parsed, key, 'transcript.wrong-origin', message);
    problems.push({ ...problem, severity: 'warning', data: { expected } });
  };
  compare('split', split);
  compare('index', index);
  return problems;
}

/** Options that would give another instance than the id names: the id decides, so they have no effect. */
function contradictions(
  parsed: ParsedTranscript,
  environment: Environment,
  origin: InstanceOrigin,
): Problem[] {
  const { instance, options } = parsed.transcript;
  if (environment.locate?.(instance) == null) return [];
  const deciding = optionsOfScope(environment.optionFields, options, 'instance');
  return Object.entries(deciding).flatMap(([key, value]) => {
    const asked = environment.parseOptions({ ...origin.options, [key]: value });
    const other = asked.ok ? environment.listing?.(origin.split, origin.index, asked.value) : undefined;
    if (!other?.ok || other.value.id === instance) return [];
    const message = `"${instance}" is not made with this ${key}, which has no effect: it would be "${other.value.id}".`;
    const place = placeOfValue(parsed, 'options', key);
    return [{ code: 'transcript.wrong-origin', severity: 'warning', message, ...place } as const];
  });
}

function unknownEnvironment(parsed: ParsedTranscript, environments: readonly Environment[]): Problem {
  const ids = environments.map(({ id }) => id);
  const name = parsed.transcript.environment;
  const nearest = nearestName(name, ids);
  const hint = nearest === null ? '' : ` Did you mean "${nearest}"?`;
  const message = `There is no environment "${name}" (known: ${ids.join(', ')}).${hint}`;
  const problem = problemAt(parsed, 'environment', 'front-matter.unknown-environment', message);
  return nearest === null ? problem : { ...problem, data: { nearest } };
}

function unknownInstance(parsed: ParsedTranscript, error: string): Problem {
  return problemAt(parsed, 'instance', 'transcript.unknown-instance', asSentence(error));
}

function problemAt(parsed: ParsedTranscript, key: string, code: string, message: string): Problem {
  return { code, severity: 'error', message, ...placeOfValue(parsed, key) };
}

/** Where the value stands that `path` leads to; the first line of the file when it is not written. */
export function placeOfValue({ layout }: ParsedTranscript, ...path: readonly string[]): Range {
  const entry = layout.frontMatter?.entries.find(
    (candidate) => candidate.path.length === path.length && candidate.path.every((key, i) => key === path[i]),
  );
  const { start, end } = entry?.value ?? { start: 0, end: 3 };
  return { start, end };
}
