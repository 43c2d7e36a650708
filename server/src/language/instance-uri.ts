/**
 * The addresses of instance documents:
 *
 *     hopscope:/navigator/train/17/hs1-train-17.hopscope-instance?{"n_hops":[3]}
 *
 * Environment, split and index say which instance; the file name is the instance's id, so that tabs and links read
 * well; the query holds the environment's options as JSON when there are any. An address therefore stays good after a
 * restart, in another window and in a transcript.
 */
import { accept, type Checked, refuse } from '../engine/problem.ts';
import type { InstanceSelector } from '../protocol.ts';

const SCHEME = 'hopscope';
const EXTENSION = '.hopscope-instance';

/** What an address says: which instance, and the id it had when the address was made. */
export interface InstanceAddress extends InstanceSelector {
  readonly id: string;
}

/** The address of an instance. Its parts may hold any character. */
export function printInstanceUri(address: InstanceAddress): string {
  const { environment, split, index, id, options } = address;
  const path = [environment, split, String(index), `${id}${EXTENSION}`].map(encodeURIComponent).join('/');
  const query =
    options && Object.keys(options).length > 0 ? `?${encodeURIComponent(JSON.stringify(options))}` : '';
  return `${SCHEME}:/${path}${query}`;
}

/** Reads an address, as this module or an editor (which encodes other characters) wrote it. */
export function parseInstanceUri(uri: string): Checked<InstanceAddress> {
  const wrong = refuse(`there is no instance at ${uri}`);
  const match = /^hopscope:\/([^/?#]+)\/([^/?#]+)\/(\d{1,15})\/([^/?#]+)(?:\?([^#]*))?$/.exec(uri);
  if (!match) return wrong;
  const [environment, split, index, file, query] = match.slice(1).map(decode);
  if (environment === undefined || split === undefined || !file?.endsWith(EXTENSION)) return wrong;
  const id = file.slice(0, -EXTENSION.length);
  if (!query) return accept({ environment, split, index: Number(index), id });
  const options = parseRecord(query);
  return options ? accept({ environment, split, index: Number(index), id, options }) : wrong;
}

function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined; // a stray percent sign
  }
}

function parseRecord(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isRecord ? Object.fromEntries(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}
