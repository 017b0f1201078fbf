import { address, withoutSlash } from '../../../platform/configuration/variables.ts';
import type { BankSourceDefinition, ConfiguredBankSource } from '../definition.ts';
import { createQonto } from './adapter.ts';

/** Each company opens it with the key that Qonto gives all its customers. */
export const qonto: BankSourceDefinition<'qonto'> = {
  kind: 'qonto',
  variables: { QONTO_API_URL: address() },
  credentials: null,
  configure: (values) => configuredQonto(withoutSlash(values.QONTO_API_URL ?? realApiUrl)),
};

const realApiUrl = 'https://thirdparty.qonto.com';

export function configuredQonto(apiUrl: string): ConfiguredBankSource {
  const isReal = apiUrl === realApiUrl;
  return {
    kind: 'qonto',
    name: 'Qonto',
    apiUrl,
    isReal,
    credentials: null,
    settings: {},
    warnings: [],
    // A reading is one call, and Qonto takes a thousand in ten seconds.
    quota: null,
    open: ({ httpClient, clock }) =>
      createQonto({ httpClient, clock, apiUrl, isDemonstration: !isReal }),
  };
}
