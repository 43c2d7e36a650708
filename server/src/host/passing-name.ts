/** Names of files that are there for a moment only, until they get the name that they are meant for. */
import { randomBytes } from 'node:crypto';

/**
 * A name beside `path`, of this process and of no other attempt in it, so that two at once do not write over each other.
 *
 * @param ending says what it is for.
 */
export function passingName(path: string, ending: 'partial' | 'stale'): string {
  return `${path}.${process.pid}-${randomBytes(4).toString('hex')}.${ending}`;
}

/** The process that made the file of such a name; undefined for every other name. */
export function passingOwner(name: string): number | undefined {
  const pid = /\.(\d+)(?:-[0-9a-f]+)?\.(?:partial|stale)$/.exec(name)?.[1];
  return pid === undefined ? undefined : Number(pid);
}
