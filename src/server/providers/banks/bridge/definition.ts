import { address, listOf, text, withoutSlash } from '../../../platform/configuration/variables.ts';
import type { BankSourceDefinition, CallQuota, ConfiguredBankSource } from '../definition.ts';
import { createBridge } from './adapter.ts';
import type { BridgeConfiguration } from './calls.ts';

const credentials = ['BRIDGE_CLIENT_ID', 'BRIDGE_CLIENT_SECRET'] as const;

export const bridge: BankSourceDefinition<'bridge'> = {
  kind: 'bridge',
  variables: {
    BRIDGE_API_URL: address(),
    BRIDGE_CLIENT_ID: text(),
    BRIDGE_CLIENT_SECRET: text(),
    BRIDGE_WEBHOOK_SECRET: text(),
  },
  credentials,
  configure(values) {
    if (!values.BRIDGE_CLIENT_ID || !values.BRIDGE_CLIENT_SECRET) return null;
    return configuredBridge({
      apiUrl: withoutSlash(values.BRIDGE_API_URL ?? realApiUrl),
      clientId: values.BRIDGE_CLIENT_ID,
      clientSecret: values.BRIDGE_CLIENT_SECRET,
      webhookSecrets: listOf(values.BRIDGE_WEBHOOK_SECRET),
    });
  },
};

const realApiUrl = 'https://api.bridgeapi.io';

export function configuredBridge(configuration: BridgeConfiguration): ConfiguredBankSource {
  return {
    kind: 'bridge',
    name: 'Bridge',
    apiUrl: configuration.apiUrl,
    isReal: configuration.apiUrl === realApiUrl,
    credentials,
    settings: configuration,
    quota: bridgeQuota,
    warnings:
      configuration.webhookSecrets.length > 0
        ? []
        : [
            {
              variable: 'BRIDGE_WEBHOOK_SECRET',
              words: "Les soldes ne sont lus qu'à l'ouverture d'une page et avant un message.",
              remedy: 'Ajoutez un webhook chez Bridge et recopiez son secret.',
            },
          ],
    open: (deps) => createBridge({ ...deps, configuration }),
  };
}

/** docs.bridgeapi.io/docs/basics, "rate limits". */
export const bridgeQuota: CallQuota = {
  /**
   * Bridge allows 2,000 calls per application and five minutes. 150 at once and one more every 170 ms
   * are at most 1,944 in 305 seconds: calls may arrive closer together than they left.
   */
  application: { burst: 150, stepMs: 170 },
  /**
   * Bridge allows 60 per user and minute, by the moments of the calls themselves: a person may use
   * them all at once. Pages that read on their own leave the last six to what the person presses.
   */
  perUser: { act: 60, reading: 54, spanMs: 65_000 },
};
