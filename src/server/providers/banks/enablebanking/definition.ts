import { address, withoutSlash } from '../../../platform/configuration/variables.ts';
import type { BankSourceDefinition, ConfiguredBankSource } from '../definition.ts';
import { createEnableBanking } from './adapter.ts';
import { longestConsentSeconds } from './banks.ts';

/** Each person opens it with an application of their own, for private accounts. */
export const enablebanking: BankSourceDefinition<'enablebanking'> = {
  kind: 'enablebanking',
  variables: { ENABLE_BANKING_API_URL: address() },
  credentials: null,
  longestAccessMs: longestConsentSeconds * 1000,
  configure: (values) =>
    configuredEnableBanking(withoutSlash(values.ENABLE_BANKING_API_URL ?? realApiUrl)),
};

const realApiUrl = 'https://api.enablebanking.com';

export function configuredEnableBanking(apiUrl: string): ConfiguredBankSource {
  const isReal = apiUrl === realApiUrl;
  return {
    kind: 'enablebanking',
    name: 'Enable Banking',
    apiUrl,
    isReal,
    credentials: null,
    settings: {},
    warnings: [],
    // Banks limit the readings of each account: the adapter counts them by account.
    quota: null,
    open: ({ httpClient, clock, keyedLimiter }) =>
      createEnableBanking({ httpClient, clock, keyedLimiter, apiUrl, isDemonstration: !isReal }),
  };
}
