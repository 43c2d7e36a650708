// Bundles everything that runs: `node esbuild.mjs [--watch] [--minify]`. Tests import `bundle` for what they need.
import { rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { build, context } from 'esbuild';

/** CommonJS dependencies inside an ES module bundle still call require(). */
const requireBanner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** @type {import('esbuild').BuildOptions} */
const node = {
  absWorkingDir: import.meta.dirname,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  legalComments: 'none',
  logLevel: 'warning',
  banner: { js: requireBanner },
  outdir: 'dist',
};

/**
 * Pages inside of the editor. Their styles and fonts are files: the pages allow nothing inline.
 *
 * @type {import('esbuild').BuildOptions}
 */
const webview = {
  ...node,
  platform: 'browser',
  target: 'es2022',
  banner: {},
  loader: { '.ttf': 'file' },
  assetNames: '[name]',
  outdir: 'dist/webview',
};

/**
 * What ships. Everything is an ES module, the client too: VS Code's extension host loads those since 1.100.
 * `vscode` is the host's own; the language client's require('vscode') meets the host's hook like any other.
 *
 * @type {Record<string, import('esbuild').BuildOptions>}
 */
const bundles = {
  server: {
    ...node,
    splitting: true, // it loads most of itself after it has answered for the first time
    entryPoints: {
      server: 'server/src/server.ts',
      'model-tokenizer': 'server/src/host/model-tokenizer-worker.ts',
      'results-thread': 'server/src/host/panel/thread-worker.ts',
    },
  },
  // What few commands need is loaded by these: the others start sooner.
  cli: { ...node, splitting: true, entryPoints: { cli: 'server/src/cli.ts' } },
  // Started by the server and by the command.
  worker: { ...node, entryPoints: { worker: 'server/src/host/worker.ts' } },
  pages: {
    ...webview,
    entryPoints: {
      preview: 'client/webview/preview/page.ts',
      episode: 'client/webview/episode/page.ts',
      results: 'client/webview/results/page.ts',
      comparison: 'client/webview/results/comparison/page.ts',
    },
  },
  styles: {
    ...webview,
    entryPoints: {
      preview: 'client/webview/preview/preview.css',
      episode: 'client/webview/episode/episode.css',
      results: 'client/webview/results/results.css',
      comparison: 'client/webview/results/comparison/comparison.css',
      codicon: '@vscode/codicons/dist/codicon.css',
    },
  },
  client: {
    ...node,
    splitting: true,
    entryPoints: { client: 'client/src/extension.ts' },
    external: ['vscode'],
  },
};

/**
 * Builds one bundle.
 *
 * @param {string} name of the bundles above
 * @param {import('esbuild').BuildOptions} [overrides] e.g. another folder
 */
export async function bundle(name, overrides = {}) {
  const options = bundles[name];
  if (!options) throw new Error(`There is no bundle ${name}.`);
  await build({ ...options, ...overrides });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--watch')) {
    // The watch task of .vscode waits for the lines that the info level prints.
    for (const options of Object.values(bundles)) {
      await (await context({ ...options, logLevel: 'info' })).watch();
    }
  } else {
    const minify = process.argv.includes('--minify');
    rmSync(new URL('dist', import.meta.url), { recursive: true, force: true }); // source maps of another kind of build
    await Promise.all(Object.keys(bundles).map((name) => bundle(name, { minify, sourcemap: !minify })));
  }
}
