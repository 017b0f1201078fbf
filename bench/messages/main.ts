import process from 'node:process';
import { table } from '../table.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureRendering } from './rendering.ts';

/**
 * The cost of balances in a message: rendering a message with 20 accounts, and deliveries per second
 * with stored balances compared with a literal text, alternately, on PostgreSQL.
 * `--count 10000 --rounds 3`.
 */
const options = new Map(
  process.argv.slice(2).map((word, at, words) => [word, Number(words[at + 1])] as const),
);
process.stdout.write(`\nRendering a message of 20 accounts\n\n${table(measureRendering())}\n`);
const rows = await measureDeliveries(
  options.get('--count') ?? 10_000,
  options.get('--rounds') ?? 3,
);
process.stdout.write(`\nDeliveries with stored balances\n\n${table(rows)}\n`);
