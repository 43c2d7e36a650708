/**
 * One process at a time works on a run: a file `lock` in its folder names the process. A lock left behind by a process
 * that has gone, e.g. after `kill -9`, is taken over.
 */
import { readdirSync, readFileSync, unlinkSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isFields } from '../../engine/evals/formats/json-fields.ts';
import { errorCode, explain, Failure } from '../failure.ts';
import { passingName, passingOwner } from '../passing-name.ts';

export interface RunLock {
  /** Gives the folder free. Calling it again does nothing. */
  release(): void;
}

/** The process that holds a lock. */
interface Owner {
  readonly pid: number;
  readonly host: string;
  /** Tells a process from a later one that got the same number; null where the system does not say. */
  readonly started: string | null;
}

/**
 * Locks a run folder for this process. The lock goes when it is released or the process ends by itself. What processes that
 * have gone left half-written in the folder is removed.
 *
 * @throws Failure when another process has it, or the folder cannot be written to.
 */
export async function lockRun(folder: string): Promise<RunLock> {
  const lock = await lockAt(join(folder, 'lock'), folder);
  sweepPartials(folder);
  return lock;
}

/**
 * Locks a single file for this process in the same way, by a lock beside it, and removes what was left half-written beside it.
 *
 * @throws Failure when another process has it, or the folder cannot be written to.
 */
export async function lockFile(file: string): Promise<RunLock> {
  const lock = await lockAt(`${file}.lock`, file);
  sweepPartials(dirname(file), basename(file));
  return lock;
}

/** @param what is locked, for messages. */
async function lockAt(path: string, what: string): Promise<RunLock> {
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), started: startOf(process.pid) });
  // Two takeovers in a row mean that others are taking over as well: enough reason to leave it to them.
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await create(path, mine)) return held(path, mine);
    const found = await readFile(path, 'utf8').catch(() => null);
    if (found === null) continue;
    const owner = parseOwner(found);
    if (owner !== null && isAlive(owner)) throw new Failure('request', refusal(path, what, owner));
    await takeAway(path, found);
  }
  throw new Failure('request', `Other processes are beginning to work on ${what}; try again.`);
}

/** Whether a process is at work on the run in `folder`. */
export function isLocked(folder: string): boolean {
  return isHeld(join(folder, 'lock'));
}

/**
 * Removes what processes that have gone, e.g. after `kill -9`, left half-written in a folder and those in it, or beside a file
 * `name` in it alone. What cannot be removed harms nobody.
 */
function sweepPartials(folder: string, name?: string): void {
  try {
    for (const found of readdirSync(folder, { recursive: name === undefined, encoding: 'utf8' })) {
      if (name !== undefined && !found.startsWith(`${name}.`)) continue;
      const pid = passingOwner(found);
      if (pid !== undefined && !isRunning(pid)) unlinkSync(join(folder, found));
    }
  } catch {
    // Somebody else was faster, or may not remove them either.
  }
}

/** Whether a process is at work on a single file. */
export function isFileLocked(file: string): boolean {
  return isHeld(`${file}.lock`);
}

function isHeld(path: string): boolean {
  try {
    const owner = parseOwner(readFileSync(path, 'utf8'));
    return owner !== null && isAlive(owner);
  } catch {
    return false;
  }
}

function refusal(path: string, what: string, { pid, host }: Owner): string {
  if (host === hostname()) return `Process ${pid} is at work on ${what}: wait for it, or stop it first.`;
  return `Process ${pid} on ${host} is at work on ${what}. If it is not, delete the file "${basename(path)}" there.`;
}

/** Puts the lock there with its content at once, unless there is one. */
async function create(path: string, content: string): Promise<boolean> {
  const partial = passingName(path, 'partial');
  try {
    await writeFile(partial, content);
    await link(partial, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (!noLinks.has(errorCode(error) ?? '')) {
      throw new Failure('request', `Cannot write ${path}: ${explain(error)}.`);
    }
    return createWithoutLink(path, content);
  } finally {
    await rm(partial, { force: true }).catch(() => undefined);
  }
}

/** What disks without hard links answer. */
const noLinks: ReadonlySet<string> = new Set(['ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EMLINK']);

async function createWithoutLink(path: string, content: string): Promise<boolean> {
  try {
    await writeFile(path, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw new Failure('request', `Cannot write ${path}: ${explain(error)}.`);
  }
}

/** Removes the lock whose content is `stale`; one that somebody else has put there meanwhile is put back. */
async function takeAway(path: string, stale: string): Promise<void> {
  const aside = passingName(path, 'stale');
  try {
    await rename(path, aside);
  } catch {
    return; // another process was faster
  }
  const found = await readFile(aside, 'utf8').catch(() => stale);
  if (found !== stale) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true }).catch(() => undefined);
}

function held(path: string, mine: string): RunLock {
  let released = false;
  const release = () => {
    if (released) return;
    released = true;
    process.removeListener('exit', release);
    try {
      if (readFileSync(path, 'utf8') === mine) unlinkSync(path);
    } catch {
      // The folder has gone, and the lock with it.
    }
  };
  process.on('exit', release);
  return { release };
}

/** The owner a lock names; null for a file that is no lock, such as one torn by a full disk. */
function parseOwner(text: string): Owner | null {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isFields(raw)) return null;
  const { pid, host, started } = raw;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0 || typeof host !== 'string')
    return null;
  return { pid, host, started: typeof started === 'string' ? started : null };
}

/** Of other machines nothing is known, so their processes count as alive. */
function isAlive({ pid, host, started }: Owner): boolean {
  if (host !== hostname()) return true;
  return isRunning(pid) && (started === null || started === startOf(pid));
}

/** Whether there is a process of that number on this machine. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    // Somebody else's process is alive as well.
    return errorCode(error) === 'EPERM';
  }
}

/** Whether a process has ended and only its parent has not yet heard of it (Linux). */
function hasEnded(pid: number): boolean {
  return /^[ZX]$/.test(statOf(pid)?.[0] ?? '');
}

/** When a process was started, in ticks since the machine was (Linux); null elsewhere. */
function startOf(pid: number): string | null {
  return statOf(pid)?.[19] ?? null;
}

/** What Linux says of a process after its name, in its order; null elsewhere. */
function statOf(pid: number): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
