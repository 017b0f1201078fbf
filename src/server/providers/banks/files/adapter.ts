import { Worker } from 'node:worker_threads';
import type { StatementFile, StatementReader, TableChoice } from '../connect.ts';
import { BankSourceError } from '../failures.ts';
import type { BankSource } from '../port.ts';

/** Files that banks export, as a bank source: it calls no service, and stores nothing. */
export function createFiles(limits = { timeoutMs: 10_000, memoryMiB: 128 }): BankSource {
  return {
    name: 'Relevé de compte',
    note: 'Un fichier de votre banque\u202f: CAMT.053, OFX, CSV ou Excel',
    credentials: 'person',
    connect: {
      kind: 'file',
      steps: [
        'Sur le site de votre banque, exportez les opérations du compte\u202f: CAMT.053, OFX, CSV ou Excel.',
        "Choisissez ce fichier ici. Rien n'est enregistré avant que vous l'ayez vérifié.",
      ],
      accept: '.xml,.camt,.ofx,.qfx,.csv,.txt,.tsv,.xlsx',
      maxBytes: 10 * 1024 * 1024,
      openReader: () => createReader(limits),
    },
    policy: { atPageLoad: false, beforeMessage: null },
    read: async () => {
      throw new BankSourceError('refused', 'A file is read when it is given');
    },
    // What the tables of a person's banks mean is kept for the files of another day.
    removeConnection: async () => (known) => known,
  };
}

interface Limits {
  /** Of the processor: other work of a busy machine does not count. */
  timeoutMs: number;
  memoryMiB: number;
}

/** So many times as long a file may take on a machine that is busy with other work. */
const busyFactor = 3;

/**
 * Reads in a thread of its own: what a file costs in time and memory is bounded, whatever is in it. The
 * thread serves the next file too, unless one was too much for it.
 */
function createReader(limits: Limits): StatementReader {
  let thread: Worker | null = null;
  const end = () => {
    void thread?.terminate();
    thread = null;
  };
  const begin = () => {
    const started = startThread(limits);
    started.once('exit', () => {
      if (thread === started) thread = null;
    });
    return started;
  };
  return {
    async read(bytes, asked) {
      thread ??= begin();
      try {
        const answer = await answerOf(thread, { bytes, asked }, limits.timeoutMs);
        if ('file' in answer) return answer.file;
        throw unreadable(answer.refusal);
      } catch (error) {
        const isRead = error instanceof BankSourceError && error.cause === undefined;
        if (!isRead) end();
        throw error;
      }
    },
    close: end,
  };
}

function startThread({ memoryMiB }: Limits): Worker {
  const thread = new Worker(new URL('./reader-thread.ts', import.meta.url), {
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

/** With a cause, the thread is of no more use. */
function unreadable(sentence: string, cause?: unknown): BankSourceError {
  return new BankSourceError('unreadable', 'A file was refused', { sentence, cause });
}
