import { parentPort } from 'node:worker_threads';
import { readStatement } from './read-file.ts';
import { StatementError } from './statement.ts';

/** The thread that `reading-threads.ts` starts to read files: its end, by memory or time, ends nothing else. */
parentPort?.on('message', ({ bytes, asked }) => {
  try {
    parentPort?.postMessage({ file: readStatement(bytes, asked) });
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    parentPort?.postMessage({ refusal: error.message });
  }
});
