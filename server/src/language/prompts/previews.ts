/**
 * Where each step prompt is previewed: on which instance, at which step of which scripted agent's episode. Everything
 * that shows values of an observation (preview, hover, token counts, warnings about answers) shows those of this place.
 */
import type { AnyInstance, Environment, Policy, Split } from '../../engine/environments/environment.ts';
import { playEpisode } from '../../engine/evals/play.ts';
import { accept, type Checked, refuse } from '../../engine/problem.ts';
import type { StepPrompt } from '../../engine/prompts/step-prompt.ts';
import type { InstanceLocation, InstanceSelector, PreviewPlace } from '../../protocol.ts';
import type { Maker } from '../instances/making.ts';
import { missingData } from '../instances/missing-data.ts';
import { printInstanceUri } from '../instances/uri.ts';

/** Episodes kept: those of the prompts that a person goes back and forth between. One of 128k tokens is about 1 MB. */
const KEPT = 6;

/** The seed of `hopscope eval` unless another is asked for, so that both show the same episodes. */
const SEED = '0';

/** One scripted episode, up to and including its last prompt. */
export interface PreviewEpisode {
  readonly environment: Environment;
  readonly instance: AnyInstance;
  /** Where the instance opens. */
  readonly location: InstanceLocation;
  readonly split: Split;
  readonly policy: Policy<AnyInstance, unknown>;
  /** The state before each reply, in order. Never empty. */
  readonly states: readonly unknown[];
  /** The same as step prompts see them. */
  observation(step: number): Readonly<Record<string, unknown>>;
}

export interface Preview {
  readonly episode: PreviewEpisode;
  readonly place: PreviewPlace;
  readonly state: unknown;
  readonly observation: Readonly<Record<string, unknown>>;
}

export interface Previews {
  /** The preview of the prompt at `uri`, or why there is none. */
  of(uri: string, prompt: StepPrompt): Checked<Preview>;
  /**
   * Remembers where a person wants to see it; what `place` does not name stays. A place that there is not is not remembered:
   * the result is why there is none, or whether the new one is elsewhere.
   */
  move(uri: string, prompt: StepPrompt, place: Partial<PreviewPlace>): Checked<boolean>;
  /**
   * To be awaited before asking about a prompt, or moving it to `place`: the instance may have to be made elsewhere. Tells
   * whether it was, so that there is no reason to wait any more.
   */
  prepare(uri: string, prompt: StepPrompt, place?: Partial<PreviewPlace>): Promise<boolean>;
  /** Why no instance can be made under the prompt's options, though one can without them; null when that is not so. */
  optionsFailure(uri: string, prompt: StepPrompt): string | null;
  forget(uri: string): void;
}

const keys: readonly (keyof PreviewPlace)[] = ['split', 'index', 'policy', 'step'];

export function createPreviews(environments: readonly Environment[], maker: Maker): Previews {
  const wanted = new Map<string, Partial<PreviewPlace>>();
  const kept = new Map<string, Checked<PreviewEpisode>>();

  function episodeAt(
    environment: Environment,
    options: Readonly<Record<string, unknown>>,
    place: Omit<PreviewPlace, 'step'>,
  ): Checked<PreviewEpisode> {
    const key = keyOf(environment, options, place);
    const episode = kept.get(key) ?? play(environment, options, place, maker);
    // The data may come at any time.
    if (!episode.ok && missingData(environment) !== null) return episode;
    kept.delete(key);
    kept.set(key, episode); // youngest again
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT) break;
      kept.delete(oldest);
    }
    return episode;
  }

  function whereIs(prompt: StepPrompt, asked: Partial<PreviewPlace>): Checked<Where> {
    const environment = environments.find(({ id }) => id === prompt.environment);
    if (!environment) return refuse('The prompt names no environment that there is.');
    const split = chooseSplit(environment, asked.split, prompt.split);
    const policy = environment.policies.find(({ id }) => id === asked.policy) ?? environment.policies[0];
    if (!split || !policy) return refuse(`${environment.title} has nothing to preview.`);
    const { index = 0 } = asked;
    const selector = { environment: environment.id, split: split.id, index, options: prompt.options };
    return accept({ environment, selector, place: { split: split.id, index, policy: policy.id } });
  }

  function at(prompt: StepPrompt, asked: Partial<PreviewPlace> = {}): Checked<Preview> {
    const where = whereIs(prompt, asked);
    if (!where.ok) return where;
    const { environment, place } = where.value;
    const episode = episodeAt(environment, prompt.options, place);
    if (!episode.ok) return episode;
    const step = Math.min(Math.max(Math.trunc(asked.step ?? 1), 1), episode.value.states.length);
    return accept({
      episode: episode.value,
      place: { ...place, step },
      state: episode.value.states[step - 1],
      observation: episode.value.observation(step),
    });
  }

  return {
    of: (uri, prompt) => at(prompt, wanted.get(uri)),
    move(uri, prompt, place) {
      const before = wanted.get(uri);
      const after = { ...before, ...place };
      const there = at(prompt, after);
      // Of a prompt that is shown nowhere the place is remembered for when it is.
      if (!there.ok && at(prompt, before).ok) return there;
      const named = keys.filter((key) => place[key] !== undefined);
      const found = there.ok ? there.value.place : after;
      const kept = { ...before, ...Object.fromEntries(named.map((key) => [key, found[key]])) };
      wanted.set(uri, kept);
      return accept(keys.some((key) => kept[key] !== before?.[key]));
    },
    async prepare(uri, prompt, place) {
      const where = whereIs(prompt, { ...wanted.get(uri), ...place });
      if (!where.ok) return true;
      const { environment, selector } = where.value;
      if (kept.has(keyOf(environment, prompt.options, where.value.place))) return true;
      // What is looked at and where somebody wants to go are two wishes.
      await maker.prepare(selector, place === undefined ? uri : `${uri} moved`);
      return maker.isReady(selector);
    },
    optionsFailure(uri, prompt) {
      const where = whereIs(prompt, wanted.get(uri) ?? {});
      if (!where.ok || Object.keys(prompt.options).length === 0) return null;
      const { environment, selector } = where.value;
      if (!environment.parseOptions(prompt.options).ok) return null;
      const made = maker.make(selector);
      return made.ok || !maker.make({ ...selector, options: {} }).ok ? null : made.error;
    },
    forget: (uri) => void wanted.delete(uri),
  };
}

interface Where {
  readonly environment: Environment;
  readonly selector: InstanceSelector;
  readonly place: Omit<PreviewPlace, 'step'>;
}

function keyOf(
  environment: Environment,
  options: Readonly<Record<string, unknown>>,
  { split, index, policy }: Omit<PreviewPlace, 'step'>,
): string {
  return JSON.stringify([environment.id, options, split, index, policy]);
}

/** Nobody looks at a test split without having asked for it, not even when the prompt names one for its evals. */
function chooseSplit(
  environment: Environment,
  asked: string | undefined,
  named: string | null,
): Split | undefined {
  const { splits } = environment;
  return (
    splits.find(({ id }) => id === asked) ??
    splits.find(({ id, test }) => id === named && !test) ??
    splits.find(({ test }) => !test) ??
    splits[0]
  );
}

function play(
  environment: Environment,
  rawOptions: Readonly<Record<string, unknown>>,
  place: Omit<PreviewPlace, 'step'>,
  maker: Maker,
): Checked<PreviewEpisode> {
  const split = environment.splits.find(({ id }) => id === place.split);
  const policy = environment.policies.find(({ id }) => id === place.policy);
  if (!split || !policy) return refuse(`There is no ${place.split} with ${place.policy}.`);
  const options = environment.parseOptions(rawOptions);
  if (!options.ok) return refuse(`The options do not fit: ${options.error}.`);
  const selector = { environment: environment.id, split: split.id, index: place.index, options: rawOptions };
  const made = maker.make(selector);
  if (!made.ok) return refuse(`There is no instance ${place.index} of ${split.id}: ${made.error}.`);
  const instance = made.value;
  const address = {
    environment: environment.id,
    split: split.id,
    index: place.index,
    id: instance.id,
    options: rawOptions,
  };
  const { events } = playEpisode(environment, instance, options.value, policy, SEED);
  const states: unknown[] = [];
  let state = environment.start(instance, options.value);
  for (const event of events) {
    if (event.kind === 'reply') states.push(state);
    state = environment.advance(state, event);
  }
  if (states.length === 0) return refuse(`${policy.id} takes no step on ${instance.id}.`);
  const observations: Readonly<Record<string, unknown>>[] = [];
  return accept({
    environment,
    instance,
    location: { id: instance.id, uri: printInstanceUri(address) },
    split,
    policy,
    states,
    observation(step) {
      const at = step - 1;
      const known = observations[at] ?? environment.observe(states[at]);
      observations[at] = known;
      return known;
    },
  });
}
