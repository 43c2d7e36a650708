/** `npm run fuzz`: bundles the fuzzers as the product is bundled, and runs them. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { bundle } from '../../esbuild.mjs';

const project = path.resolve(import.meta.dirname, '../..');
await bundle('server', { entryPoints: { main: 'test/fuzz/main.ts' }, outdir: 'out/fuzz' });
const args = ['out/fuzz/main.js', ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, { cwd: project, stdio: 'inherit' });
process.exit(status ?? 1);
