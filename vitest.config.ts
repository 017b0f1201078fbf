import { defineConfig } from 'vitest/config';
import { LongFirst } from './tests/runner/long-first.ts';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // Those run in Playwright.
    exclude: ['tests/browser/**'],
    environment: 'node',
    globalSetup: 'tests/runner/database-of-run.ts',
    // Nothing that passes waits for them: they are for a machine that is busy with other work.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 15_000 } },
    // Most of them wait as long as they work: five keep two cores busy, where four left an eighth idle.
    maxWorkers: 5,
    sequence: { sequencer: LongFirst },
    // Each file in a process of its own would read the same modules again: half of the whole time.
    isolate: false,
  },
});
