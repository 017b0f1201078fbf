import process from 'node:process';
import { measureReads } from './reads.ts';
import { measureSizes } from './sizes.ts';
import { measureStarts } from './starts.ts';
import { table } from './table.ts';

/**
 * How long a start takes, what it holds in memory, what a page weighs, and how many reads a second
 * are answered: each as a ratio, to its limit or to bare Node on the same machine in the same run.
 */
for (const [title, measure] of [
  ['Starts', measureStarts],
  ['JavaScript and CSS before the first interaction, brotli', measureSizes],
  ['Authenticated reads, 16 connections', measureReads],
] as const) {
  process.stdout.write(`\n${title}\n\n${table(await measure())}\n`);
}
