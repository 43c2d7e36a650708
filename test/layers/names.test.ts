/**
 * No environment is known by name but where it is made: in its folder of the engine, in its folder of prompts, in one view
 * module at most, and on its line of the registry. Everything else is written for all of them.
 */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { environments } from '../../server/src/engine/environments/registry.ts';

const project = path.resolve(import.meta.dirname, '../..');

/** What goes into the product: sources, manifest, grammars, prompts, and how it is built. */
const roots = ['client', 'server', 'syntaxes', 'prompts', 'package.json', 'esbuild.mjs'];

const files = roots
  .flatMap((root) => {
    const full = path.join(project, root);
    if (fs.statSync(full).isFile()) return [root];
    return fs
      .readdirSync(full, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(png|svg|ttf)$/.test(entry.name))
      .map((entry) => path.relative(project, path.join(entry.parentPath, entry.name)));
  })
  .map((file) => file.replaceAll('\\', '/'))
  .sort();

const registry = 'server/src/engine/environments/registry.ts';

/** Words that stand for an environment, in any way of writing them. */
function namesOf({ id, title }: { readonly id: string; readonly title: string }): RegExp {
  const words = [id, title].map((name) => name.replace(/[\s-]+/g, '[\\s_-]?'));
  return new RegExp(`(?<![a-z])(?:${words.join('|')})(?![a-z])`, 'i');
}

/** Words of the contract that are an environment's id as well: in what is about streams, serving is one of two phases. */
const homonyms: ReadonlyMap<string, RegExp> = new Map([
  ['serving', /(?:^|\/)[a-z-]*streams?[a-z-]*(?:\/|\.ts$)/],
]);

/** Places outside of its folders that name an environment, as `file:line: text`. */
function strangers(
  environment: { readonly id: string; readonly title: string },
  texts = readAll(),
): string[] {
  const { id } = environment;
  const names = namesOf(environment);
  const own = [`server/src/engine/environments/${id}/`, `prompts/${id}/`, registry];
  return texts
    .filter(({ file }) => !own.some((place) => file.startsWith(place)) && !homonyms.get(id)?.test(file))
    .flatMap(({ file, text }) =>
      text.split('\n').flatMap((line, at) => (names.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
    );
}

function readAll(): { readonly file: string; readonly text: string }[] {
  return files.map((file) => ({ file, text: fs.readFileSync(path.join(project, file), 'utf8') }));
}

test.each(environments.map((environment) => [environment.id, environment] as const))(
  '%s is named nowhere but where it is made',
  (id, environment) => {
    const found = strangers(environment);
    const views = new Set(
      found.map((place) => place.split(':')[0] ?? '').filter((file) => file.endsWith(`/views/${id}.ts`)),
    );
    expect(views.size).toBeLessThanOrEqual(1);
    expect(found.filter((place) => !views.has(place.split(':')[0] ?? ''))).toEqual([]);
  },
);

test('every environment has one line of imports and one place in the list', () => {
  const text = fs.readFileSync(path.join(project, registry), 'utf8');
  for (const { id } of environments) expect(text.split(`'./${id}/index.ts'`)).toHaveLength(2);
});

test('a name elsewhere would be seen, however it is written', () => {
  const environment = { id: 'two-hop', title: 'Two Hops' };
  const texts = [
    'twoHop',
    'two-hop',
    'TWO_HOP',
    'the "two hop" rows',
    'Two Hops',
    'two-hopping',
    'a.twoHop()',
  ];
  const found = texts.filter(
    (text) => strangers(environment, [{ file: 'client/src/a.ts', text }]).length > 0,
  );
  expect(found).toEqual(texts.filter((text) => text !== 'two-hopping'));
});
