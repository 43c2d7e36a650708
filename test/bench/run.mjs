/** `npm run bench`: bundles the bench as the product is bundled, and runs it with a collector that it may call. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { bundle } from '../../esbuild.mjs';

const project = path.resolve(import.meta.dirname, '../..');
// The server that some rows start is bundled by the bench as it runs, from here.
const external = ['../../esbuild.mjs'];
await bundle('server', { entryPoints: { main: 'test/bench/main.ts' }, outdir: 'out/bench', external });
const args = ['--expose-gc', 'out/bench/main.js', ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, { cwd: project, stdio: 'inherit' });
process.exit(status ?? 1);
