/**
 * Reads the shared vectors: inputs with expected outputs that were made independently of this project.
 *
 * They lie in `$HOPSCOPE_SHARED/vectors`, by default beside the repository. Where they are absent the tests that
 * need them are skipped, unless HOPSCOPE_REQUIRE_ALL=1 says that nothing may be. An empty file or a field
 * nobody expects fails at once: a test that silently checks nothing is worse than none.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vectors = join(resolve(root, process.env['HOPSCOPE_SHARED'] ?? '../shared'), 'vectors');

/** `describe` for tests that read vectors. */
export function describeVectors(name: string, body: () => void): void {
  if (existsSync(vectors)) describe(name, body);
  else if (process.env['HOPSCOPE_REQUIRE_ALL'] === '1') {
    it(name, () => {
      throw new Error(`The vectors are required, but there is no folder ${vectors}`);
    });
  } else {
    it.skip(`${name} (skipped: no vectors at ${vectors}; set HOPSCOPE_SHARED)`, () => {});
  }
}

/**
 * The rows of `vectors/<name>`, a JSONL file. `fields` are the names a row may have; any other fails, since a
 * check that does not know a field cannot be checking it.
 */
export function readVectors<T>(name: string, fields: readonly (keyof T & string)[]): readonly T[] {
  const lines = readFileSync(join(vectors, name), 'utf8').split('\n').filter(Boolean);
  if (lines.length === 0) throw new Error(`${name} has no rows`);
  const known: readonly string[] = fields;
  return lines.map((line, index) => {
    const row = JSON.parse(line);
    const unknown = Object.keys(row).filter((key) => !known.includes(key));
    if (unknown.length > 0) throw new Error(`${name}:${index + 1} has unknown fields: ${unknown.join(', ')}`);
    return row;
  });
}

/** `vectors/<name>`, a file that is one JSON value. */
export function readVectorFile<T>(name: string): T {
  return JSON.parse(readFileSync(join(vectors, name), 'utf8'));
}
