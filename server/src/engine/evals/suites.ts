/**
 * Suites (`*.suite.json`): small files that name some instances, so that a run on them can be repeated and its figures say
 * what they are over.
 *
 * A suite is pinned when it keeps the hash of each instance: then nothing is played that is not what it was when the suite
 * was made, whatever became of the generator or of a file since.
 */
import { accept, type Checked, refuse } from '../problem.ts';
import { counted } from '../text/numbers.ts';
import type { InstanceSource } from './run-data.ts';

/** One instance of a suite. */
export interface SuiteMember {
  readonly source: InstanceSource;
  /** Null for members of a split that are named by number alone. */
  readonly id: string | null;
  /** Null unless the suite is pinned. */
  readonly hash: string | null;
}

/** Where a suite was taken from; empty for one that was put together by hand. */
export interface SuiteOrigin {
  /** Id of a run. */
  readonly run?: string;
  /** What the instances of that run are called. */
  readonly label?: string;
  /** What its members have in common there, e.g. `failed`, or causes. */
  readonly chosen?: readonly string[];
}

export interface Suite {
  /** Stands in figures. */
  readonly name: string;
  readonly description: string;
  readonly environment: string;
  readonly generatorVersion: number | null;
  /** Options under which the instances are made and played. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Without repetitions. */
  readonly members: readonly SuiteMember[];
  readonly origin: SuiteOrigin;
}

/** Names that do for files and tables alike. */
const namePattern = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u;

/** The name as it is, or why it will not do. */
export function checkSuiteName(name: string): Checked<string> {
  if (namePattern.test(name)) return accept(name);
  return refuse(
    'a suite has a name of letters, digits, blanks, dots, hyphens and underscores, up to 80 characters, beginning with a letter or digit',
  );
}

export function isPinned({ members }: Suite): boolean {
  return members.every(({ hash }) => hash !== null);
}

/** A member as messages name it. */
export function memberName({ source }: SuiteMember): string {
  return 'file' in source ? `${source.id} of ${source.file}` : `${source.split} ${source.index}`;
}

/** A suite in words, e.g. `twins (14 instances, pinned)`. */
export function describeSuite(suite: Suite): string {
  return `${suite.name} (${counted(suite.members.length, 'instance')}${isPinned(suite) ? ', pinned' : ''})`;
}
