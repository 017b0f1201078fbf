import process from 'node:process';
import { measureMemory } from './memory/trial.ts';
import { measureReads } from './reads.ts';
import { measureSizes } from './sizes.ts';
import { measureStarts } from './starts.ts';
import { measureSteady } from './steady.ts';
import { table } from './table.ts';

/**
 * Measures the time and memory of a start, the size of each page, the reads answered in a second, and
 * their durations at half of that rate for a minute: as ratios to a limit or to bare Node on the same
 * machine in the same run. Arguments select parts: `starts sizes reads memory steady`.
 */
const asked = process.argv.slice(2);
const services = {
  starts: ['Starts', measureStarts],
  sizes: ['JavaScript and CSS before the first interaction, brotli', measureSizes],
  reads: ['Authenticated reads, 16 connections', measureReads],
  memory: ['Highest resident memory in MiB, in memory groups of the kernel', measureMemory],
  steady: ['Reads that arrive at a fixed rate for a minute, PostgreSQL', measureSteady],
} as const;
for (const [name, [title, measure]] of Object.entries(services)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  process.stdout.write(`\n${title}\n\n${table(await measure())}\n`);
}
