import { address } from '../../../../src/server/platform/configuration/variables.ts';
import type { BankSourceDefinition } from '../../../../src/server/providers/banks/definition.ts';
import { createVaultSource } from './adapter.ts';

/** A bank source that each person opens with a key of her own. */
export const vault: BankSourceDefinition<'vault'> = {
  kind: 'vault',
  variables: { VAULT_API_URL: address() },
  credentials: null,
  configure(values) {
    const apiUrl = values.VAULT_API_URL ?? realApiUrl;
    return {
      ...{ kind: 'vault', name: 'Coffre', apiUrl, isReal: apiUrl === realApiUrl },
      ...{ credentials: null, settings: {}, warnings: [], quota: null },
      open: ({ httpClient }) => createVaultSource(apiUrl, httpClient),
    };
  },
};

const realApiUrl = 'https://coffre.exemple.fr';
