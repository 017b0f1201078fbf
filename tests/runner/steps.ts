import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Count, countOfPlaywright, countOfVitest } from './counts.ts';

export interface Step {
  name: string;
  /** A script of an installed package, run by this Node, and its arguments. */
  script: string;
  args: string[];
  environment?: Record<string, string>;
  /** Absent for a check, which counts as one. */
  count?: () => Count;
}

const results = mkdtempSync(join(tmpdir(), 'tirelire-test-'));
const vitestResults = join(results, 'vitest.json');
const browserResults = join(results, 'browser.json');

/**
 * One round after another; within a round its lanes run side by side. The browser and the server's tests
 * each keep two cores busy by themselves: at the same time, both wait for one another until limits of
 * time are met that are none of what is tested.
 */
export const rounds: Step[][][] = [
  [
    [
      { name: 'web build', script: '../bin/tirelire.mjs', args: ['build'] },
      { name: 'size', script: 'size-limit/bin.js', args: [] },
    ],
    [
      { name: 'types', script: 'typescript/bin/tsc', args: ['-p', '.'] },
      { name: 'lint', script: '@biomejs/biome/bin/biome', args: ['check', '--error-on-warnings'] },
      { name: 'unused code', script: 'knip/bin/knip.js', args: [] },
    ],
  ],
  [
    [
      {
        name: 'browser',
        script: '@playwright/test/cli.js',
        // Dots, and all that failed at the end: where a log is cut, its end is what stays.
        args: ['test', '--reporter=dot,json'],
        environment: { PLAYWRIGHT_JSON_OUTPUT_NAME: browserResults },
        count: () => countOfPlaywright(browserResults),
      },
    ],
  ],
  [
    [
      {
        name: 'unit, API and worker',
        script: 'vitest/vitest.mjs',
        args: ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${vitestResults}`],
        count: () => countOfVitest(vitestResults),
      },
    ],
  ],
];
