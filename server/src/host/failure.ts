import { visible } from '../engine/text/visible.ts';

/**
 * Something that went wrong outside the program and that its user can do something about: `message` is one sentence
 * that says what, where and what to do. Shown as it is, never with a stack; what a terminal would obey is escaped in it.
 */
export class Failure extends Error {
  override readonly name = 'Failure';
  /** `request`: what was asked for cannot be done as asked; `run`: it could, but something failed on the way. */
  readonly kind: 'request' | 'run';

  constructor(kind: 'request' | 'run', message: string) {
    super(visible(message));
    this.kind = kind;
  }
}

/** The code of a system error such as `ENOENT`, or undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return undefined;
}

const explanations: Readonly<Record<string, string>> = {
  EACCES: 'permission denied; check who may use it',
  EDQUOT: 'the quota of the disk is used up; make room and try again',
  EFBIG: 'no file may become that large here; check the limits of the shell',
  EISDIR: 'it is a folder; name a file',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'there is no such file or folder; check the path',
  ENOSPC: 'the disk is full; make room and try again',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'permission denied; check who may use it',
  ENXIO: 'nobody is at its other end, or it is a socket; name a file',
  EROFS: 'the disk is read-only',
  ERR_INVALID_ARG_VALUE: 'the path holds a NUL character',
};

/** Half a sentence for a system error: what it means and, where there is something, what to do. */
export function explain(error: unknown): string {
  const code = errorCode(error);
  const known = code === undefined ? undefined : explanations[code];
  return known ?? (error instanceof Error ? error.message : String(error));
}
