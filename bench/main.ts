import process from 'node:process';
import { measureBankFiles, measureBankSilence } from './banks/main.ts';
import { measureMemory } from './memory/trial.ts';
import { measureReads } from './reads.ts';
import { measureSizes } from './sizes.ts';
import { measureStarts } from './starts.ts';
import { measureSteady } from './steady.ts';
import { table } from './table.ts';

/**
 * Measures the time and memory of a start, the size of each page, the reads answered in a second, and
 * their durations at half of that rate for a minute, the import of a year of statements and the readings
 * beside a silent bank source: as ratios to a limit or to bare Node on the same
 * machine in the same run. Arguments select parts: `starts sizes reads memory steady statements silence`.
 */
const asked = process.argv.slice(2);
const services = {
  starts: ['Starts', measureStarts],
  sizes: ['JavaScript and CSS before the first interaction, brotli', measureSizes],
  reads: ['Authenticated reads, 16 connections', measureReads],
  memory: ['Highest resident memory in MiB, in memory groups of the kernel', measureMemory],
  statements: ['A year of daily statements of one account', measureBankFiles],
  silence: ['A hundred connections of five bank sources', measureBankSilence],
  steady: ['Reads that arrive at a fixed rate for a minute, PostgreSQL', measureSteady],
} as const;
for (const [name, [title, measure]] of Object.entries(services)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  process.stdout.write(`\n${title}\n\n${table(await measure())}\n`);
}
