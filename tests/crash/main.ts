/** `npm run test:crash`: the long version, with figures. Exits 1 when one delivery is lost. */
import { engines } from '../support/engines.ts';
import { killWhileSending } from './killing.ts';

const reports = [];
for (const engine of engines) {
  const report = await killWhileSending(engine, { people: 3000, kills: 30, random: Math.random });
  reports.push({ engine, ...report });
}
for (const report of reports) process.stdout.write(`${JSON.stringify(report)}\n`);
process.exit(reports.some(({ lost, doubledSilently }) => lost + doubledSilently > 0) ? 1 : 0);
