/** The layers of ARCHITECTURE.md, held against what the sources import and which globals they touch. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const project = path.resolve(import.meta.dirname, '../..');

interface Layer {
  /** A file, or a folder with a slash at its end. The first layer that holds a file is its layer. */
  readonly where: string;
  /** Layers below that it may import. Its own files it may always. */
  readonly mayImport: readonly string[];
  /** Packages and Node modules that it may import, as patterns of the whole specifier. */
  readonly packages: readonly RegExp[];
}

const NODE = /^node:/;
const LSP_TYPES = /^vscode-(languageserver-types|languageserver-textdocument|jsonrpc)$/;
const ENGINE = 'server/src/engine/';

/** From the bottom of the engine to the top of the product. */
const LAYERS: readonly Layer[] = [
  { where: `${ENGINE}problem.ts`, mayImport: [], packages: [] },
  { where: `${ENGINE}text/`, mayImport: [], packages: [/^fastest-levenshtein$/] },
  { where: `${ENGINE}random/`, mayImport: [], packages: [/^seedrandom/] },
  { where: `${ENGINE}stats/`, mayImport: [`${ENGINE}random/`], packages: [] },
  {
    where: `${ENGINE}environments/`,
    mayImport: [`${ENGINE}problem.ts`, `${ENGINE}text/`, `${ENGINE}random/`, `${ENGINE}stats/`, 'prompts/'],
    packages: [/^valibot$/, /^re2js$/, /^@noble\/hashes\//],
  },
  {
    where: `${ENGINE}prompts/`,
    mayImport: [`${ENGINE}problem.ts`, `${ENGINE}text/`, `${ENGINE}environments/`],
    packages: [/^valibot$/, /^yaml$/],
  },
  {
    where: `${ENGINE}transcripts/`,
    mayImport: [`${ENGINE}problem.ts`, `${ENGINE}text/`, `${ENGINE}environments/`, `${ENGINE}prompts/`],
    packages: [/^valibot$/, /^yaml$/],
  },
  {
    where: `${ENGINE}evals/`,
    mayImport: ['problem.ts', 'random/', 'stats/', 'text/', 'environments/', 'prompts/', 'transcripts/'].map(
      (part) => ENGINE + part,
    ),
    packages: [/^valibot$/, /^@noble\/hashes\//, /^diff$/],
  },
  { where: 'server/src/protocol', mayImport: [ENGINE], packages: [] },
  {
    where: 'server/src/host/',
    mayImport: [ENGINE],
    packages: [NODE, /^workerpool$/, /^gpt-tokenizer\//, /^openai$/, /^undici$/],
  },
  {
    where: 'server/src/language/',
    mayImport: [ENGINE, 'server/src/protocol.ts'],
    packages: [LSP_TYPES, /^diff$/],
  },
  {
    where: 'server/src/cli',
    mayImport: [ENGINE, 'server/src/host/', 'server/src/language/', 'package.json'],
    packages: [NODE, /^commander$/, /^sarif$/, /^tinyglobby$/],
  },
  {
    where: 'server/src/server',
    mayImport: [ENGINE, 'server/src/protocol.ts', 'server/src/host/', 'server/src/language/', 'package.json'],
    packages: [/^valibot$/, LSP_TYPES, /^vscode-languageserver\/node$/, NODE],
  },
  {
    where: 'client/webview/',
    mayImport: ['server/src/protocol.ts'],
    packages: [
      /^lit(\/|$)/,
      /^@tanstack\/virtual-core$/,
      /^@vscode-elements\/elements\//,
      /^d3-(scale|shape)$/,
      /^valibot$/,
    ],
  },
  {
    where: 'client/src/',
    mayImport: ['server/src/protocol.ts', 'client/webview/'],
    packages: [/^vscode$/, /^vscode-languageclient\/node$/, NODE],
  },
];

/** Sources of the product, as paths from the project's folder. */
const sources = ['client', 'server']
  .flatMap((folder) => fs.readdirSync(path.join(project, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => path.relative(project, path.join(entry.parentPath, entry.name)))
  .sort();

function layerOf(file: string): Layer | undefined {
  return LAYERS.find(({ where }) => file.startsWith(where));
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

function read(file: string): string {
  return fs.readFileSync(path.join(project, file), 'utf8');
}

function specifiersIn(file: string): string[] {
  return specifiersOf(read(file));
}

/** What `source` imports or re-exports, types and dynamic imports included. The formatter knows one kind of quotes. */
function specifiersOf(source: string): string[] {
  const pattern = /(?:[\s}*]from\s+|\bimport\s*\(\s*|^\s*import\s+)'([^'\n]+)'/gm;
  return Array.from(withoutComments(source).matchAll(pattern), ([, specifier = '']) => specifier);
}

/** Why `file` may not import `specifier`; undefined when it may. */
function objection(file: string, specifier: string): string | undefined {
  const layer = layerOf(file);
  if (!layer) return `${file} is in no layer`;
  if (!specifier.startsWith('.')) {
    const allowed = layer.packages.some((pattern) => pattern.test(specifier));
    return allowed ? undefined : `${file} imports ${specifier}`;
  }
  const target = path.join(path.dirname(file), specifier);
  const allowed = layerOf(target) === layer || layer.mayImport.some((below) => target.startsWith(below));
  return allowed ? undefined : `${file} imports ${target}`;
}

test('there are sources', () => {
  expect(sources.length).toBeGreaterThan(20);
  expect(
    specifiersOf("import a from 'x';\nexport * from './y.ts';\nimport 'z';\nawait import('w');"),
  ).toEqual(['x', './y.ts', 'z', 'w']);
});

test('imports point down only', () => {
  const objections = sources.flatMap((file) =>
    specifiersIn(file).map((specifier) => objection(file, specifier)),
  );
  expect(objections.filter(Boolean)).toEqual([]);
});

test('an upward import would be seen', () => {
  expect(objection('server/src/engine/text/tokens.ts', '../environments/chat.ts')).toBeDefined();
  expect(objection('server/src/language/service.ts', 'vscode')).toBeDefined();
  expect(objection('server/src/engine/evals/play.ts', 'node:fs')).toBeDefined();
  expect(objection('server/src/protocol.ts', 'vscode-languageserver-types')).toBeDefined();
  expect(objection('client/src/extension.ts', '../../server/src/engine/problem.ts')).toBeDefined();
  expect(objection('somewhere/else.ts', './else.ts')).toBeDefined();
});

/** Where clocks, chance and the process come from. */
const IMPURE =
  /\b(?:process\.|Date\.now|new Date|performance\.|Math\.random|setTimeout|setInterval|console\.\w+\(|fetch\()/;

test('the engine is pure', () => {
  const found = sources
    .filter((file) => file.startsWith(ENGINE))
    .map((file) => ({ file, impure: IMPURE.exec(withoutComments(read(file)))?.[0] }));
  expect(found.filter(({ impure }) => impure)).toEqual([]);
});

test('environments are reached through the registry only, so that another one can be added', () => {
  const environmentOf = (name: string) => /^server\/src\/engine\/environments\/([^/]+)\//.exec(name)?.[1];
  const strangers = sources.filter((file) =>
    specifiersIn(file)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => environmentOf(path.join(path.dirname(file), specifier)))
      .some((environment) => environment && environment !== environmentOf(file)),
  );
  expect(strangers).toEqual([`${ENGINE}environments/registry.ts`]);
});
