import { readFileSync } from 'node:fs';

export interface Count {
  passed: number;
  failed: number;
}

/** A test that was skipped counts as failed: nothing is left out in silence. */
export function countOfVitest(file: string): Count {
  const { numPassedTests, numTotalTests } = readJson(file) as {
    numPassedTests: number;
    numTotalTests: number;
  };
  return { passed: numPassedTests, failed: numTotalTests - numPassedTests };
}

/** One that passed only at a second try counts as failed too. */
export function countOfPlaywright(file: string): Count {
  const { stats } = readJson(file) as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  };
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped };
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
