/**
 * The oracle: knows the evidence and plays the shortest correct episode, or a slightly lost one when noise is asked
 * for. Its thoughts give the reasons that a reader of the map would have, and nothing that the prompt of that
 * step does not show, so that its episodes can be learnt from.
 */
import { openStream, type Stream } from '../../../random/stream.ts';
import type { Policy } from '../../environment.ts';
import type { State } from '../episode.ts';
import type { Chunk, Evidence, Instance } from '../instance.ts';
import { say } from './say.ts';

/** An episode that goes on, seen with the evidence in hand. */
interface Position {
  readonly instance: Instance;
  readonly state: State;
  /** Evidence of hops before the first unknown one. */
  readonly known: readonly Evidence[];
  /** The first unknown hop and the chunk it takes. */
  readonly next: Evidence;
  readonly chunk: Chunk;
}

/**
 * The oracle with `noise`, the probability (0 to 1) of a detour at each step. Without noise it takes exactly the
 * instance's `min_steps`.
 */
export function oracle(noise = 0): Policy<Instance, State> {
  return {
    id: noise === 0 ? 'oracle' : `oracle-noise-${noise}`,
    description:
      noise === 0
        ? 'Knows the evidence and takes the fewest steps.'
        : `Knows the evidence; with probability ${noise} a step is a detour to a neighbouring chunk.`,
    privileged: true,
    begin(instance, seed) {
      const stream = openStream('policy', 'oracle', noise, instance.id, seed);
      return (state) => {
        const position = locate(instance, state);
        if (position === null) return answer(instance);
        const detour = noise > 0 && stream.chance(noise) ? wander(position, stream) : null;
        return detour ?? proceed(position);
      };
    },
  };
}

/**
 * Where the episode stands; null when every hop is known. A hop is known while its chunk is held, or once its
 * value has been written into a held summary.
 */
function locate(instance: Instance, state: State): Position | null {
  const written = writtenDown(state);
  const at = instance.evidence.findIndex(
    (hop) => !holds(state, hop.chunk_idx) && !written.includes(hop.value),
  );
  const next = instance.evidence[at];
  const chunk = instance.chunks.find(({ idx }) => idx === next?.chunk_idx);
  if (next === undefined || chunk === undefined) return null;
  return { instance, state, known: instance.evidence.slice(0, at), next, chunk };
}

/** The step that the shortest episode takes from here. */
function proceed({ state, known, next, chunk }: Position) {
  const free = state.settings.contextCeiling - state.used;
  if (chunk.tokens <= free) {
    const place = `${chunk.section} is sorted by name and ${range(chunk)}`;
    return say(
      `I look for the ${label(next)} of ${next.entity}. The ${place}, so the entry must be in it. ` +
        `It takes ${chunk.tokens} tokens and ${free} are free: it fits.`,
      `READ ${chunk.idx}`,
    );
  }
  if (state.held.length === 0) {
    return say(`Chunk ${chunk.idx} is larger than the whole context, so I cannot know.`, 'ANSWER unknown');
  }
  const ids = state.held.map(({ id }) => id).join(', ');
  const lack = `Next is chunk ${chunk.idx} with ${chunk.tokens} tokens, but only ${free} are free.`;
  if (known.length === 0) return say(`${lack} Nothing that I hold leads on, so I let it go.`, `DROP ${ids}`);
  const facts = known.map((hop) => `${hop.entity}: ${hop.field} = ${hop.value}`).join('; ');
  return say(
    `${lack} I write down the links found so far and let the rest go.`,
    `COMPRESS ${ids} :: ${facts}`,
  );
}

function answer(instance: Instance) {
  const last = instance.evidence.at(-1);
  const thought =
    last === undefined ? 'Nothing is missing.' : `${last.entity} has ${last.field}: ${last.value}.`;
  return say(`${thought} That is what the question asks for.`, `ANSWER ${instance.answer}`);
}

/** A plausible mistake: drop a useless chunk, or look next door first. Null when there is none to make. */
function wander({ instance, state, next, chunk }: Position, stream: Stream) {
  const useless = state.held.find((item) => item.kind === 'chunk' && isUseless(instance, state, item.id));
  if (useless !== undefined && stream.chance(0.5)) {
    return say(`Chunk ${useless.id} does not hold what I need, so I let it go.`, `DROP ${useless.id}`);
  }
  const free = state.settings.contextCeiling - state.used;
  const section = instance.chunks.filter((other) => other.section === chunk.section);
  const at = section.indexOf(chunk);
  const neighbours = [section[at - 1], section[at + 1]].filter(
    (other) => other !== undefined && !holds(state, other.idx) && other.tokens <= free,
  );
  if (neighbours.length === 0) return null;
  const other = stream.pick(neighbours);
  if (other === undefined) return null;
  return say(
    `I look for the ${label(next)} of ${next.entity}. In the ${other.section}, ${range(other)}, next to where ` +
      `${next.entity} should be; I look there first.`,
    `READ ${other.idx}`,
  );
}

/** Whether a held chunk is no evidence, or evidence whose value a summary already holds. */
function isUseless(instance: Instance, state: State, id: string): boolean {
  const written = writtenDown(state);
  return instance.evidence.every((hop) => String(hop.chunk_idx) !== id || written.includes(hop.value));
}

function holds(state: State, chunk: number): boolean {
  return state.held.some((item) => item.kind === 'chunk' && item.id === String(chunk));
}

function writtenDown(state: State): string {
  const summaries = state.held.filter((item) => item.kind === 'summary');
  return summaries.map(({ text }) => text).join('\n');
}

/** Field as a question names it. */
function label(hop: Evidence): string {
  return hop.field.toLowerCase();
}

/** Which names a chunk has, as its header in the map says. */
function range({ idx, entity_names: names }: Chunk): string {
  const [first] = names;
  const last = names.at(-1);
  return first === last ? `chunk ${idx} is ${first} alone` : `chunk ${idx} runs from ${first} to ${last}`;
}
