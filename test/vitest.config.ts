import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/{client,engine,language,host,cli,layers}/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000, // some build the command first
    // Much of the time goes into waiting for processes that tests start.
    maxWorkers: '100%',
  },
});
