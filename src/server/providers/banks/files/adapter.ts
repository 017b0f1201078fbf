import { BankSourceError } from '../failures.ts';
import type { BankSource } from '../port.ts';
import { createThreadedReading } from './reading-threads.ts';

/** Files that banks export, as a bank source: it calls no service, and stores nothing. */
export function createFiles(
  limits = { timeoutMs: 10_000, memoryMiB: 128, idleMs: 10_000 },
): BankSource {
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
      read: createThreadedReading(limits),
    },
    policy: { atPageLoad: false, beforeMessage: null },
    read: async () => {
      throw new BankSourceError('refused', 'A file is read when it is given');
    },
    // What the tables of a person's banks mean is kept for the files of another day.
    removeConnection: async () => (known) => known,
  };
}
