/**
 * `npm run test:soak [-- seconds]`: five minutes by default, half of them on each database. Exits 1
 * when a delivery that was due has no outcome, or was doubled without saying so.
 */
import { engines } from '../support/engines.ts';
import { isSound } from './reconciling.ts';
import { soak } from './soaking.ts';

const seconds = Number(process.argv[2] ?? 300) / engines.length;
let isWell = true;
for (const engine of engines) {
  const report = await soak(engine, { seconds, people: 120, random: Math.random });
  process.stdout.write(`${JSON.stringify(report)}\n`);
  isWell &&= isSound(report);
}
process.exit(isWell ? 0 : 1);
