import { address } from '../../../../src/server/platform/configuration/variables.ts';
import type { BankSourceDefinition } from '../../../../src/server/providers/banks/definition.ts';
import { createExampleSource } from './adapter.ts';

/** A bank source that each person opens with a key of her own. */
export const example: BankSourceDefinition<'example'> = {
  kind: 'example',
  variables: { EXAMPLE_API_URL: address() },
  credentials: null,
  configure(values) {
    const apiUrl = values.EXAMPLE_API_URL ?? realApiUrl;
    return {
      ...{ kind: 'example', name: 'Example', apiUrl, isReal: apiUrl === realApiUrl },
      ...{ credentials: null, settings: {}, warnings: [], quota: null },
      open: ({ httpClient }) => createExampleSource(apiUrl, httpClient),
    };
  },
};

const realApiUrl = 'https://banque.exemple.fr';
