/** Groups of tests that need the shared folder, and all that reads from it. */
import { describe, test } from 'vitest';
import { hasShared, requireAll, sharedFolder } from './vectors.ts';

export * from './vectors.ts';

/**
 * A group of tests that need the shared folder. Without it the group is skipped under a name that says why;
 * with `HOPSCOPE_REQUIRE_ALL=1` it runs all the same and fails on the first file that it cannot read.
 */
export function describeShared(title: string, body: () => void): void {
  const name = `vectors: ${title}`; // what `npm run test:vectors` looks for
  if (hasShared || requireAll) describe(name, body);
  // A group without a test would not be counted at all.
  else describe(name, () => test.skip(`skipped: there is no ${sharedFolder}/vectors`, () => {}));
}
