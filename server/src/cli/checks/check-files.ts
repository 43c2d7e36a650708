/** Which files `hopscope check` is to look at. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { explain, Failure } from '../../host/failure.ts';
import { type CheckedLanguage, languageOf } from '../../language/check.ts';

export interface FileToCheck {
  /** To be opened, and as it is shown; `-` is standard input. */
  readonly path: string;
  readonly language: CheckedLanguage;
}

/** What is looked for in folders. Markdown is not: most of it has nothing to do with us. */
const sources = '**/*.{step.md,episode}';

/** For folders and patterns alike: nobody means what a package manager put there. */
const search = {
  ignore: ['**/node_modules/**'],
  expandDirectories: false,
  followSymbolicLinks: false,
  caseSensitiveMatch: false,
} as const;

/**
 * The files that `names` (files, folders, patterns, `-`) stand for, each once.
 *
 * @param language of standard input and of files whose names do not tell
 * @throws Failure for a name that stands for nothing
 */
export async function filesToCheck(
  names: readonly string[],
  language: CheckedLanguage | undefined,
): Promise<readonly FileToCheck[]> {
  const found = new Map<string, FileToCheck>();
  const add = (file: FileToCheck) => {
    const key = file.path === '-' ? '-' : path.resolve(file.path);
    if (!found.has(key)) found.set(key, file);
  };
  for (const name of names) for (const file of await filesOf(name, language)) add(file);
  return [...found.values()];
}

async function filesOf(name: string, language: CheckedLanguage | undefined): Promise<readonly FileToCheck[]> {
  if (name === '-') {
    if (language) return [{ path: '-', language }];
    throw new Failure('request', 'Say with --language what standard input is.');
  }
  const kind = await kindOf(name);
  if (kind === 'folder') {
    const inside = await glob(sources, { ...search, cwd: name });
    if (inside.length === 0) {
      throw new Failure('run', `There is no step prompt or transcript in ${name}.`);
    }
    return known(inside.map((file) => path.join(name, file)));
  }
  if (kind === 'pattern') {
    const matches = known(await glob(name, search));
    if (matches.length > 0) return matches;
    throw new Failure('request', `No step prompt, transcript or Markdown file matches ${name}.`);
  }
  const own = languageOf(name) ?? language;
  if (own) return [{ path: name, language: own }];
  throw new Failure(
    'request',
    `${name} is no step prompt (*.step.md), transcript (*.episode) or Markdown file (*.md) by its name; ` +
      'say with --language what it is.',
  );
}

/** A file that is there is never taken for a pattern, whatever characters its name has. */
async function kindOf(name: string): Promise<'file' | 'folder' | 'pattern'> {
  try {
    return (await stat(name)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (!name.includes('\0') && isDynamicPattern(name)) return 'pattern';
    throw new Failure('request', `Cannot read ${name}: ${explain(error)}.`);
  }
}

/** Those whose language is known, in an order that does not depend on the file system. */
function known(paths: readonly string[]): FileToCheck[] {
  return [...paths].sort().flatMap((file) => {
    const language = languageOf(file);
    return language ? [{ path: path.normalize(file), language }] : [];
  });
}
