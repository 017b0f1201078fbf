import { address, withoutSlash } from '../../../platform/configuration/variables.ts';
import type { BankSourceDefinition, ConfiguredBankSource } from '../definition.ts';
import { createPonto } from './adapter.ts';

/** Each company opens it with an integration of its own: it asks for no account of the installation. */
export const ponto: BankSourceDefinition<'ponto'> = {
  kind: 'ponto',
  variables: { PONTO_API_URL: address() },
  credentials: null,
  configure: (values) => configuredPonto(withoutSlash(values.PONTO_API_URL ?? realApiUrl)),
};

const realApiUrl = 'https://api.myponto.com';

export function configuredPonto(apiUrl: string): ConfiguredBankSource {
  const isReal = apiUrl === realApiUrl;
  const dashboardUrl = isReal ? 'https://dashboard.myponto.com' : `${apiUrl}/dashboard`;
  return {
    kind: 'ponto',
    name: 'Ponto',
    apiUrl,
    isReal,
    credentials: null,
    settings: {},
    warnings: [],
    // Ponto tells no limit of its own: its 429 is passed on.
    quota: null,
    open: ({ httpClient, clock, log, keyedLimiter }) =>
      createPonto({
        ...{ httpClient, clock, log, keyedLimiter, apiUrl, dashboardUrl },
        isDemonstration: !isReal,
      }),
  };
}
