import type { BankSourceDefinition } from '../definition.ts';
import { createFiles } from './adapter.ts';

/** Always there: a file asks for no account anywhere. */
export const files: BankSourceDefinition<'files'> = {
  kind: 'files',
  variables: {},
  credentials: null,
  configure: () => ({
    ...{ kind: 'files', name: 'Relevé de compte', apiUrl: null, isReal: true },
    ...{ credentials: null, settings: {}, warnings: [], quota: null },
    open: () => createFiles(),
  }),
};
