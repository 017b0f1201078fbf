// Plain JavaScript: reading TypeScript in a second thread would cost more memory than all of this.
import { writeSync } from 'node:fs';
import process from 'node:process';
import { workerData } from 'node:worker_threads';

const { shared, patienceMs } = workerData;
const [beats, pauses] = [0, 1];
// Its own ticks are counted, and no clock is read: while the machine is suspended, or so busy that
// this thread does not run either, no time passes.
const ticks = 30;
let last = -1;
let still = 0;

setInterval(() => {
  const beat = Atomics.load(shared, beats);
  const isStill = beat === last && Atomics.load(shared, pauses) === 0;
  last = beat;
  still = isStill ? still + 1 : 0;
  if (still < ticks) return;
  try {
    const seconds = Math.round(patienceMs / 1000);
    writeSync(2, `\nLe processus ne répond plus depuis ${seconds} s : il est interrompu.\n`);
  } catch {
    // A log that cannot be written keeps nothing from ending.
  }
  // No handler of the process would run.
  process.kill(process.pid, 'SIGKILL');
}, patienceMs / ticks);
