/** What instances of a published data set have in common, beside the instances: worlds, documents, tools, bulletins. */
import type { ToolSpec } from '../../chat.ts';
import type { Document } from '../documents.ts';
import type { Instance } from '../instance.ts';
import type { EpisodeWorld } from '../world.ts';

export interface PublishedScenario {
  /** The clean world of a task. */
  open(instance: Instance): EpisodeWorld;
  readonly documents: readonly Document[];
  readonly tools: readonly ToolSpec[];
  /** By window. */
  readonly bulletins: readonly string[];
}

/** They are large, and an instance in a file is not to carry them: it is of a data set only while it is in memory. */
const contexts = new WeakMap<Instance, PublishedScenario>();

/** The data set's part of an instance; undefined for instances of ours and for such from files. */
export function publishedOf(instance: Instance): PublishedScenario | undefined {
  return contexts.get(instance);
}

/** Makes an instance one of a data set. */
export function attach(instance: Instance, scenario: PublishedScenario): Instance {
  contexts.set(instance, scenario);
  return instance;
}
