import { Worker } from 'node:worker_threads';
import type { StatementColumns } from '../../../../shared/contract/statements.ts';
import type { StatementFile } from '../connect.ts';
import { type BankSource, BankSourceError } from '../port.ts';

/** Files that banks export, as a bank source: nothing is asked of anybody, and nothing is kept here. */
export function createFiles(limits = { timeoutMs: 10_000, memoryMiB: 128 }): BankSource {
  return {
    name: 'Relevé de compte',
    note: 'Un fichier de votre banque\u202f: CAMT.053, OFX ou CSV',
    credentials: 'person',
    connect: {
      kind: 'file',
      steps: [
        'Sur le site de votre banque, exportez les opérations du compte\u202f: CAMT.053, OFX ou CSV.',
        "Choisissez ce fichier ici. Rien n'est gardé avant que vous l'ayez vérifié.",
      ],
      accept: '.xml,.camt,.ofx,.qfx,.csv,.txt,.tsv',
      maxBytes: 10 * 1024 * 1024,
      readFile: (bytes, columns) => readInThread(bytes, columns, limits),
    },
    policy: { atPageLoad: false, beforeMessage: null },
    read: async () => {
      throw new BankSourceError('refused', 'A file is read when it is given');
    },
    // What the tables of a person's banks mean is kept for the files of another day.
    removeConnection: async ({ secret }) => secret,
  };
}

/** In a thread of its own: what a file costs in time and memory is bounded, whatever is in it. */
function readInThread(
  bytes: Uint8Array,
  columns: StatementColumns | null,
  { timeoutMs, memoryMiB }: { timeoutMs: number; memoryMiB: number },
): Promise<StatementFile> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./reader-thread.ts', import.meta.url), {
      workerData: { bytes, columns },
      resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
      // The thread needs neither the secrets of the environment nor a terminal.
      env: {},
      stdout: true,
      stderr: true,
    });
    const refuse = (sentence: string, cause?: unknown) => {
      clearTimeout(timer);
      void thread.terminate();
      reject(new BankSourceError('unreadable', 'A file was refused', { sentence, cause }));
    };
    const timer = setTimeout(() => refuse('Ce fichier est trop long à lire.'), timeoutMs);
    thread.once('message', (end: { file: StatementFile } | { refusal: string }) => {
      if ('refusal' in end) return refuse(end.refusal);
      clearTimeout(timer);
      void thread.terminate();
      resolve(end.file);
    });
    thread.once('error', (error) => refuse("Ce fichier n'a pas pu être lu.", error));
    thread.once('exit', () => refuse("Ce fichier n'a pas pu être lu."));
  });
}
