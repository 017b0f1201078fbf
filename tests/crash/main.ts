/**
 * `npm run test:crash`: the long version, with figures. On PostgreSQL two workers are killed at once
 * and the server itself, which syncs its commits, five times. Exits 1 when one delivery is lost.
 */
import { engines } from '../support/engines.ts';
import { killWhileSending } from './killing.ts';

const onEngine = {
  embedded: { workers: 1, serverKills: 0 },
  postgres: { workers: 2, serverKills: 5 },
};
const reports = [];
for (const engine of engines) {
  const { workers, serverKills } = onEngine[engine];
  const report = await killWhileSending(engine, {
    ...{ people: 3000, kills: 30, random: Math.random, workers, serverKills },
  });
  reports.push({ engine, ...report });
}
for (const report of reports) process.stdout.write(`${JSON.stringify(report)}\n`);
process.exit(reports.some(({ lost, doubledSilently }) => lost + doubledSilently > 0) ? 1 : 0);
