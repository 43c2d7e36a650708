/** What tests start as processes of their own, bundled from the present sources so that no stale build is tested. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../esbuild.mjs';

/** Set while a service of `serve-bundles.ts` is there, to its address. */
export const serviceVariable = 'HOPSCOPE_TEST_BUNDLES';

/** Bundles by their names in esbuild.mjs, each made once, all in one folder. */
export class Bundles {
  /** As the package has it: the scripts are in `dist`. */
  readonly #folder = mkdtempSync(join(tmpdir(), 'hopscope-bundles-'));
  readonly #made = new Map<string, Promise<void>>();

  constructor() {
    writeFileSync(join(this.#folder, 'package.json'), '{ "type": "module" }');
  }

  /** Makes those that have not been made yet; the result is the folder of the scripts. */
  async make(names: readonly string[]): Promise<string> {
    const outdir = join(this.#folder, 'dist');
    for (const name of names) {
      const made = this.#made.get(name) ?? bundle(name, { outdir, sourcemap: false });
      this.#made.set(name, made);
      await made;
    }
    return outdir;
  }

  /** Makes every one anew when it is asked for next: the sources have changed. */
  forget(): void {
    this.#made.clear();
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Those of a process that has no service. */
let own: Bundles | undefined;

/** The folder in which the scripts of the bundles are. All test files of a run share it. */
export async function bundled(...names: readonly string[]): Promise<string> {
  const address = process.env[serviceVariable];
  if (address !== undefined) {
    const response = await fetch(`${address}/${names.join(',')}`);
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  }
  if (own === undefined) {
    const bundles = new Bundles();
    process.once('exit', () => bundles.remove());
    own = bundles;
  }
  return own.make(names);
}
