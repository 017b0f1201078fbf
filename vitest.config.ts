import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // Those run in Playwright.
    exclude: ['tests/browser/**'],
    environment: 'node',
    globalSetup: 'tests/runner/postgres-of-run.ts',
    // A real database is opened by most files; none waits for more than a busy machine.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Each file in a process of its own would read the same modules again: half of the whole time.
    isolate: false,
  },
});
