import { parentPort, workerData } from 'node:worker_threads';
import { readStatement } from './read-file.ts';
import { StatementError } from './statement.ts';

/** The thread that `adapter.ts` starts for one file: its end, by memory or time, ends nothing else. */
try {
  const { bytes, columns } = workerData;
  parentPort?.postMessage({ file: readStatement(bytes, columns) });
} catch (error) {
  if (!(error instanceof StatementError)) throw error;
  parentPort?.postMessage({ refusal: error.message });
}
