/**
 * Which scripted agents can play tasks of others. What such a task asks for is told by its text, which scripted agents do
 * not read, and what its documents say is theirs: an agent that goes by our documents and our requests would do nothing, or
 * something that means nothing, and its score would look like one.
 */
import type { Instance } from '../instance.ts';
import { type Domain, scenarios } from '../scenarios.ts';

/** What ids of published streams begin with. */
export const PREFIX = 'published_';

/** Agents that go by the documents and requests of our own tasks. */
const ours: ReadonlySet<string> = new Set(['documents', 'remembering']);

/** Domains in which there are documents to go by. */
const documented: ReadonlySet<Domain> = new Set(['retail', 'banking']);

/** Why an agent cannot play a stream, as half a sentence; null where it can. */
export function unplayable(policy: string, stream: string): string | null {
  const scenario = scenarios.find(({ id }) => `${PREFIX}${id}` === stream);
  if (scenario === undefined || !documented.has(scenario.domain) || !ours.has(policy)) return null;
  return 'it knows the documents and requests of our own tasks alone, and published ones have others, in words';
}

/** Whether a task is one of ours, so that our documents are what it goes by. */
export function isOurs({ source }: Pick<Instance, 'source'>): boolean {
  return source.startsWith('hopscope ');
}
