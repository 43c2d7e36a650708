import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    globalSetup: ['global-setup.ts'],
    // A workbench takes about seven seconds to come up; a slow machine may need several times that. Each wait within a test
    // has its own, shorter limit; a test that is given up goes on in the background and disturbs the next.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    fileParallelism: false,
  },
});
