import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/{client,engine,language,host,cli,layers}/**/*.test.ts'],
    globalSetup: 'test/support/serve-bundles.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000, // some wait until the command is built
    // Much of the time goes into waiting for processes that tests start.
    maxWorkers: '100%',
  },
});
