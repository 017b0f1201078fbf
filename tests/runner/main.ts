import process from 'node:process';
import { differenceFromReferences } from '../screens/machine.ts';
import type { Count } from './counts.ts';
import { missingPrerequisites } from './prerequisites.ts';
import { endWithChildren, runStep } from './run.ts';
import { rounds, type Step } from './steps.ts';

/** Every check of the project. The last line says how many passed and how many failed. */
endWithChildren();
const missing = missingPrerequisites();
if (missing) {
  process.stderr.write(`${missing}\n`);
  process.exit(1);
}
const counts: Count[] = [];
for (const lanes of rounds) counts.push(...(await Promise.all(lanes.map(runOneByOne))).flat());
const difference = differenceFromReferences();
if (difference) process.stdout.write(`! ${difference}\n`);
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);

async function runOneByOne(steps: Step[]): Promise<Count[]> {
  const counts: Count[] = [];
  for (const step of steps) counts.push(await runStep(step));
  return counts;
}
