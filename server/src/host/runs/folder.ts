/** Run folders: their names, how one is made, and what lies where. */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { configureRun, type RunConfig, type RunRequest } from '../../engine/evals/run-config.ts';
import { parseRunConfig, printRunConfig } from '../../engine/evals/run-config-file.ts';
import { errorCode, explain, Failure } from '../failure.ts';
import { makeFolder } from '../make-folder.ts';
import { writeWhole } from './atomic.ts';
import { isRunning } from './lock.ts';

/** What lies where in a run folder. */
export const files = {
  config: join('configs', 'eval.json'),
  steps: 'steps.jsonl',
  traces: 'traces.jsonl',
  results: 'results.jsonl',
  metadata: 'metadata.json',
} as const;

/** A run that is to be made. */
export type NewRun = Omit<RunRequest, 'id' | 'created'>;

/** A run with its folder. */
export interface RunFolder {
  readonly path: string;
  readonly config: RunConfig;
}

/**
 * Makes the folder of a new run in `parent`, which is made as well where it is not there. The configuration is on the
 * disk before anything else is: a folder without one is no run.
 *
 * @param proposed its id, of eight hexadecimal digits, unless another run has that; drawn by chance when it is not given
 * @throws Failure when that is not possible.
 */
export async function createRunFolder(
  parent: string,
  request: NewRun,
  proposed?: string,
): Promise<RunFolder> {
  const created = new Date().toISOString();
  for (let wanted = proposed; ; wanted = undefined) {
    const id = wanted ?? randomBytes(4).toString('hex');
    const config = configureRun({ ...request, id, created });
    const path = join(parent, folderName(config));
    try {
      makeFolder(parent);
      await mkdir(path);
      await mkdir(join(path, 'configs'));
    } catch (error) {
      // Eight digits are few: another run may have drawn them.
      if (errorCode(error) === 'EEXIST' && !(await isPlainFile(parent))) continue;
      throw new Failure('request', `Cannot make a run folder in ${parent}: ${explain(error)}.`);
    }
    await writeWhole(join(path, files.config), async (file) => {
      await file.writeFile(printRunConfig(config));
    });
    return { path, config };
  }
}

/** Where the run of that id is, or would be. */
export function runPath(parent: string, request: NewRun, id: string): string {
  return join(parent, folderName({ ...request, id }));
}

/** Whether something that is no folder is in the way. */
async function isPlainFile(path: string): Promise<boolean> {
  const error: unknown = await readFile(path).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return errorCode(error) !== 'EISDIR';
}

/** Longest part of a folder's name. */
const longestPart = 60;

/** `<environment>--<model>--<prompt>--<id>`, of characters that every system and shell takes. */
function folderName({ environment, agent, prompt, id }: Omit<RunRequest, 'created'>): string {
  const who = agent.kind === 'policy' ? `policy-${agent.policy}` : agent.model;
  return [environment, who, prompt?.name ?? 'no-prompt', id].map(toPart).join('--');
}

function toPart(text: string): string {
  const part = text
    .toLowerCase()
    .replaceAll('/', '--')
    .replace(/[^a-z0-9._-]+/g, '-')
    .slice(0, longestPart)
    .replace(/^[.-]+|[.-]+$/g, '');
  return part === '' ? 'x' : part;
}

/** The run in `path`. @throws Failure when there is none that this version can go on with. */
export async function openRunFolder(path: string): Promise<RunFolder> {
  const config = await readConfig(path);
  if (config === null) {
    const { refuseStreams } = await import('../streams/find-address.ts'); // knows all environments
    await refuseStreams(path);
    throw new Failure('request', `${path} holds no run of this program: ${files.config} is not there.`);
  }
  return { path, config };
}

/** The configuration of the run in `path`; null when there is none. @throws Failure when it cannot be understood. */
export async function readConfig(path: string): Promise<RunConfig | null> {
  const file = join(path, files.config);
  const text = await readIfThere(file);
  if (text === null) return null;
  const config = parseRunConfig(text);
  if (config.ok) return config.value;
  throw new Failure('request', `${file} ${config.error}.`);
}

/** The text of a file of a run; null when there is none. @throws Failure when it cannot be read. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null;
    throw new Failure('request', `Cannot read ${path}: ${explain(error)}.`);
  }
}

/** Removes what processes left behind that were killed while they wrote a file. Nothing fails by it. */
export async function clearLeftovers(path: string): Promise<void> {
  for (const name of await readdir(path).catch(() => [])) {
    const [, pid] = /^[a-z.]+\.(\d+)\.(?:partial|stale)$/.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    await rm(join(path, name), { force: true }).catch(() => undefined);
  }
}
