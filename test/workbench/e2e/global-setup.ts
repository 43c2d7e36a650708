/** Before any test: is there all that they need? */
import fs from 'node:fs';
import { requireAll } from '../../rig/counts.mjs';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { VSIX } from './workbench.ts';

export default function setup(): void {
  const reason = whyNoWorkbench();
  if (reason !== undefined && requireAll) {
    throw new Error(`Tests in a workbench must run (HOPSCOPE_REQUIRE_ALL=1), but cannot. ${reason}`);
  }
  if (reason !== undefined) console.warn(`SKIPPED: the tests in a workbench. ${reason}`);
  else if (!fs.existsSync(VSIX))
    throw new Error('There is no hopscope.vsix to install. Run `npm run package`.');
}
