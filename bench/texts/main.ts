import process from 'node:process';
import { worstInputs } from '../../tests/attacks/worst-inputs.ts';
import { median, table } from '../table.ts';

/** The most that one text or one list may cost, in milliseconds. Exits 1 when one costs more. */
const limit = 20;

const rounds = 15;

const costs = Object.entries(worstInputs).map(([input, { longest, prepare }]) => {
  const work = prepare(longest);
  const each = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return { input, longest, ms: median(each) };
});
const rows = costs
  .toSorted((one, other) => other.ms - one.ms)
  .map(({ ms, ...cost }) => ({ ...cost, 'ms, median': ms.toFixed(2), limit }));
process.stdout.write(
  `\nProcessor time for the worst texts that are let through\n\n${table(rows)}\n`,
);
process.exitCode = costs.some(({ ms }) => ms > limit) ? 1 : 0;
