import { Worker } from 'node:worker_threads';
import type { TableChoice } from '../../../../shared/contract/statements.ts';
import type { StatementFile } from '../connect.ts';
import { BankSourceError } from '../failures.ts';

interface Limits {
  /** Of the processor: other work of a busy machine does not count. */
  timeoutMs: number;
  memoryMiB: number;
  /** For how long a thread waits for the next file. */
  idleMs: number;
}

/** So many times as long a file may take on a machine that is busy with other work. */
const busyFactor = 3;

/**
 * Reads each file in a thread: what a file costs in time and memory is bounded, whatever is in it. To start
 * a thread takes longer than to read most files, so one waits a moment for the next, unless a file was too
 * much for it. The process may end meanwhile.
 */
export function createThreadedReading(
  limits: Limits,
): (bytes: Uint8Array, asked: TableChoice) => Promise<StatementFile> {
  let idle: { thread: Worker; timer: NodeJS.Timeout } | null = null;

  function take(): Worker {
    const thread = idle?.thread;
    forgetIdle();
    thread?.ref();
    return thread ?? start();
  }

  function start(): Worker {
    const thread = startThread(limits);
    thread.once('exit', () => {
      if (idle?.thread === thread) forgetIdle();
    });
    return thread;
  }

  function giveBack(thread: Worker): void {
    if (idle) return void thread.terminate();
    const end = () => {
      forgetIdle();
      void thread.terminate();
    };
    thread.unref();
    idle = { thread, timer: setTimeout(end, limits.idleMs).unref() };
  }

  function forgetIdle(): void {
    clearTimeout(idle?.timer);
    idle = null;
  }

  return async (bytes, asked) => {
    const thread = take();
    const answer = await answerOf(thread, { bytes, asked }, limits.timeoutMs).catch(
      (error: unknown) => {
        void thread.terminate();
        throw error;
      },
    );
    giveBack(thread);
    if ('refusal' in answer) throw unreadable(answer.refusal);
    return answer.file;
  };
}

function startThread({ memoryMiB }: Limits): Worker {
  const thread = new Worker(new URL('./reading-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
    // The thread needs neither the secrets of the environment nor a terminal.
    env: {},
    stdout: true,
    stderr: true,
  });
  // Also between two files: an error without a listener would end the process.
  thread.on('error', () => {});
  return thread;
}

type Answer = { file: StatementFile } | { refusal: string };

function answerOf(
  thread: Worker,
  question: { bytes: Uint8Array; asked: TableChoice },
  timeoutMs: number,
): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const settle = (act: () => void) => {
      stopWatching();
      thread.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
      act();
    };
    const onMessage = (answer: Answer) => settle(() => resolve(answer));
    const onEnd = (cause: unknown) =>
      settle(() => reject(unreadable("Ce fichier n'a pas pu être lu.", cause ?? 'ended')));
    const stopWatching = watchTime(thread, timeoutMs, () =>
      settle(() => reject(unreadable('Ce fichier est trop long à lire.', 'timeout'))),
    );
    thread.on('message', onMessage).on('error', onEnd).on('exit', onEnd);
    thread.postMessage(question);
  });
}

/**
 * Calls `onLate` once the thread has taken the processor for so long from now on. The function that it
 * returns ends that.
 */
function watchTime(thread: Worker, timeoutMs: number, onLate: () => void): () => void {
  let isOver = false;
  const before = processorMsOf(thread);
  const check = async () => {
    const [first, now] = await Promise.all([before, processorMsOf(thread)]);
    const leftMs = now === null ? 0 : timeoutMs - (now - (first ?? 0));
    if (isOver) return;
    if (leftMs <= 0) onLate();
    else timer = setTimeout(check, leftMs);
  };
  // It cannot have taken more of the processor than of time.
  let timer = setTimeout(check, timeoutMs);
  const latest = setTimeout(onLate, busyFactor * timeoutMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
    clearTimeout(latest);
  };
}

/** Null while the thread starts, and where Node.js does not tell: before 24.6. */
async function processorMsOf(thread: Worker): Promise<number | null> {
  try {
    const { user, system } = await thread.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return null;
  }
}

function unreadable(sentence: string, cause?: unknown): BankSourceError {
  return new BankSourceError('unreadable', 'A file was refused', { sentence, cause });
}
