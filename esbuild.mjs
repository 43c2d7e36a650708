// Bundles everything that ships: `node esbuild.mjs [--watch] [--minify]`.
import { build, context } from 'esbuild';

const watch = process.argv.includes('--watch');

/** CommonJS dependencies inside an ES module bundle still call require(). */
const requireBanner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

const node = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  minify: process.argv.includes('--minify'),
  legalComments: 'none',
  logLevel: watch ? 'info' : 'warning',
  banner: { js: requireBanner },
  outdir: 'dist',
};

const bundles = [
  {
    ...node,
    entryPoints: { server: 'server/src/server.ts', cli: 'server/src/cli.ts', worker: 'server/src/host/worker.ts' },
  },
  { ...node, entryPoints: { client: 'client/src/extension.ts' }, external: ['vscode'] },
];

if (watch) {
  for (const options of bundles) await (await context(options)).watch();
} else {
  await Promise.all(bundles.map((options) => build(options)));
}
