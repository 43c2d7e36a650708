import { defineConfig } from 'vitest/config';

const files = (...folders: readonly string[]) => folders.map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: 'test/support/serve-bundles.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000, // some wait until the command is built
    // Much of the time goes into waiting for processes that tests start.
    maxWorkers: '100%',
    projects: [
      // Layers without any state outside of what tests make: files need no modules of their own.
      {
        extends: true,
        test: { name: 'pure', include: files('engine', 'language', 'layers'), isolate: false },
      },
      { extends: true, test: { name: 'around', include: files('client', 'host', 'cli') } },
    ],
  },
});
