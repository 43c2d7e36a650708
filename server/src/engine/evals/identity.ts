/** Hashes that say whether two things are the same: instances, prompts and whole runs. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { DataVersion } from '../environments/data-set.ts';
import type { AnyInstance } from '../environments/environment.ts';
import type { InstanceSource, RunAgent } from './run-data.ts';

/** `sha256:` and the hash of `text` as UTF-8, in hexadecimal digits. */
export function hashText(text: string): string {
  return `sha256:${bytesToHex(sha256(utf8ToBytes(text)))}`;
}

/** A JSON value as text in which the order of keys plays no part. Keys without a value are left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** The hash of an instance's whole content, its id included. */
export function hashInstance(instance: AnyInstance): string {
  return hashText(canonicalJson(instance));
}

/** Everything that decides what a run asks and whom, and nothing else: no endpoint, no time, no name. */
export interface IdentityParts {
  readonly environment: string;
  readonly generatorVersion: number;
  /** Data from outside, where there are any. */
  readonly data?: DataVersion;
  /** The model that judges, where one was named. */
  readonly judge?: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** In the order of the plan. */
  readonly sources: readonly InstanceSource[];
  /** By path, the hash of every file that instances come from. */
  readonly files: Readonly<Record<string, string>>;
  readonly rollouts: number;
  readonly agent: RunAgent;
  /** Text of the step prompt; null when none is rendered. */
  readonly prompt: string | null;
}

/**
 * The identity of a run. Where the endpoint is does not belong to it: a local server may come back on another port, and
 * the run goes on. Files count by their content, not by their place.
 */
export function runIdentity(parts: IdentityParts): string {
  const { agent, files, sources, ...rest } = parts;
  const asked =
    agent.kind === 'policy'
      ? agent
      : { kind: agent.kind, model: agent.model, sampling: agent.sampling, extraBody: agent.extraBody };
  const places = sources.map((source) =>
    'file' in source ? [files[source.file] ?? source.file, source.id] : [source.split, source.index],
  );
  return hashText(canonicalJson({ ...rest, agent: asked, instances: places }));
}
