import type { BankSourceDefinition } from '../definition.ts';
import { BankSourceError } from '../failures.ts';
import type { BankSource } from '../port.ts';

/** Accounts whose figures their owners type, for what no source knows. Always there. */
export const manual: BankSourceDefinition<'manual'> = {
  kind: 'manual',
  variables: {},
  credentials: null,
  configure: () => ({
    ...{ kind: 'manual', name, apiUrl: null, isReal: true },
    ...{ credentials: null, settings: {}, warnings: [], quota: null },
    open: createManual,
  }),
};

const name = 'Saisie manuelle';

function createManual(): BankSource {
  return {
    name,
    note: "Un compte qu'aucun service ne connaît\u202f: vous saisissez son solde",
    credentials: 'person',
    connect: { kind: 'manual' },
    policy: { atPageLoad: false, beforeMessage: null },
    read: async () => {
      throw new BankSourceError('refused', 'Figures are typed');
    },
    removeConnection: async () => null,
  };
}
