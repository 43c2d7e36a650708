/** How a stream was begun: what going on with it needs and nothing depends on. */
import * as v from 'valibot';

/** How a stream was begun. Paths are as they were given. */
export interface Begun {
  /** ISO 8601 in UTC. */
  readonly created: string;
  /** All streams that were to be played with this method, this one among them. */
  readonly streams: readonly string[];
  readonly prompt: {
    readonly name: string;
    readonly path: string;
    readonly text: string;
    readonly hash: string;
  } | null;
  /** Where the model is asked; null for policies. Never holds a key. */
  readonly baseUrl: string | null;
  /** True for where data are otherwise. */
  readonly published: string | true | null;
  readonly out: string;
}

const begunSchema: v.GenericSchema<unknown, Begun> = v.object({
  created: v.string(),
  streams: v.array(v.string()),
  prompt: v.nullable(v.object({ name: v.string(), path: v.string(), text: v.string(), hash: v.string() })),
  baseUrl: v.nullable(v.string()),
  published: v.nullable(v.union([v.string(), v.literal(true)])),
  out: v.string(),
});

/** How a stream was begun, as its first line tells; null where it does not. */
export function readBegun(value: unknown): Begun | null {
  const read = v.safeParse(begunSchema, value);
  return read.success ? read.output : null;
}
