/**
 * The addresses of instance documents:
 *
 *     hopscope:/ENVIRONMENT/train/17/hs1-train-17.hopscope-instance?{"n_hops":[3]}
 *
 *     hopscope:/ENVIRONMENT/mine.jsonl/train-100000.hopscope-instance?{"file":"file:///a/mine.jsonl","id":"train-100000"}
 *
 * Environment, split and index say which instance; the file name is the instance's id, so that tabs and links read
 * well; the query holds the environment's options as JSON when there are any. Instances of files are named by file and
 * id. An address therefore stays good after a restart, in another window and in a transcript.
 */
import { accept, type Checked, refuse } from '../../engine/problem.ts';
import type { InstanceSelector } from '../../protocol.ts';

const SCHEME = 'hopscope';
const EXTENSION = '.hopscope-instance';

/** What an address says: which instance, and the id it had when the address was made. */
export interface InstanceAddress extends InstanceSelector {
  readonly id: string;
}

/** What the address of an instance in a file says. */
export interface FileInstanceAddress {
  readonly environment: string;
  /** Address of the file. */
  readonly file: string;
  readonly id: string;
}

/** The address of an instance in a file. The path is for people; what counts stands in the query. */
export function printFileInstanceUri({ environment, file, id }: FileInstanceAddress): string {
  const name = file.slice(file.lastIndexOf('/') + 1);
  // A slash would become one of the path's own as soon as an editor has decoded it.
  const shown = [decode(name) ?? name, id].map((part) => part.replace(/[\\/]/g, '_') || '_');
  const path = [environment, shown[0], `${shown[1]}${EXTENSION}`]
    .map((part) => encodeURIComponent(part ?? ''))
    .join('/');
  return `${SCHEME}:/${path}?${encodeURIComponent(JSON.stringify({ file, id }))}`;
}

/** Reads an address that {@link printFileInstanceUri} made; undefined for any other. */
export function parseFileInstanceUri(uri: string): FileInstanceAddress | undefined {
  const match = /^hopscope:\/([^/?#]+)\/[^/?#]+\/[^/?#]+\?([^#]*)$/.exec(uri);
  const [environment, query] = (match ?? []).slice(1).map(decode);
  const said = query === undefined ? undefined : parseRecord(query);
  if (environment === undefined || said === undefined) return undefined;
  const { file, id } = said;
  return typeof file === 'string' && typeof id === 'string' ? { environment, file, id } : undefined;
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
