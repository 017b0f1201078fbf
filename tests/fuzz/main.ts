/** `npm run test:fuzz`: five thousand requests that nobody sent before. Exits 1 when one meets a fault. */
import { fuzz } from './fuzzing.ts';

const seed = Number(process.argv[2] ?? Date.now());
const { faults, ...report } = await fuzz({ requests: 5000, seed });
process.stdout.write(`${JSON.stringify({ seed, ...report, faults: faults.length })}\n`);
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exit(faults.length > 0 ? 1 : 0);
