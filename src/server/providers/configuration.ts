import {
  type Configuration,
  ConfigurationFaults,
  platformConfiguration,
  platformFaults,
} from '../platform/configuration/configuration.ts';
import type { Environment } from '../platform/configuration/environment.ts';
import {
  isOn,
  pairFaults,
  platformVariables,
  readValues,
  type Values,
} from '../platform/configuration/variables.ts';
import type { ConfiguredBankSource } from './banks/definition.ts';
import { bankSources } from './banks/registry.ts';
import { type ConfiguredChat, chats } from './chats/registry.ts';

/** All that the environment said. */
export interface AppConfiguration extends Configuration {
  /** Those with credentials; the demonstration plays the others. */
  bankSources: ConfiguredBankSource[];
  chats: ConfiguredChat[];
}

/**
 * `start` leaves a provider without credentials to the demonstration; `serve` is production, where
 * they must be there.
 */
export type Purpose = 'start' | 'serve';

/** Throws `ConfigurationFaults` with every fault at once. Relative folders count from `folder`. */
export function readConfiguration(
  environment: Environment,
  purpose: Purpose,
  folder: string,
): AppConfiguration {
  const { values, faults } = readValues(environment, allVariables);
  const all = [...faults, ...platformFaults(values), ...providerFaults(values, purpose)];
  if (all.length > 0) throw new ConfigurationFaults(all);
  return {
    ...platformConfiguration(values, folder),
    bankSources: configured(bankSources, values),
    chats: configured(chats, values),
  };
}

/** Every variable that the program reads. */
export const allVariables = Object.assign(
  {},
  platformVariables,
  ...[...bankSources, ...chats].map(({ variables }) => variables),
);

function configured<Configured>(
  definitions: readonly { configure(values: Values): Configured | null }[],
  values: Values,
): Configured[] {
  return definitions.flatMap((definition) => definition.configure(values) ?? []);
}

function providerFaults(values: Values, purpose: Purpose): string[] {
  return [
    ...credentialPairs.flatMap((pair) => pairFaults(values, pair)),
    ...(purpose === 'serve' ? productionFaults(values) : demonstrationFaults(values)),
  ];
}

const credentialPairs = pairsOf([...bankSources, ...chats]);

function pairsOf(
  definitions: readonly { credentials: readonly [string, string] | null }[],
): (readonly [string, string])[] {
  return definitions.flatMap(({ credentials }) => (credentials ? [credentials] : []));
}

/** One bank source and one chat must be there; which, and how many more, is the operator's choice. */
function productionFaults(values: Values): string[] {
  return missingPairs(values).map(
    ([id, secret]) =>
      `${id} et ${secret} manquent : « npm run serve » n’a pas de démonstration (« npm start » en a une).`,
  );
}

/** Real balances must not land on a demonstration page by oversight. */
function demonstrationFaults(values: Values): string[] {
  const missing = missingPairs(values);
  const isMixed = missing.length > 0 && credentialPairs.some(([id]) => values[id]);
  if (!isMixed || isOn(values.DEMO)) return [];
  return missing.map(
    ([id, secret]) =>
      `${id} et ${secret} manquent : une partie réelle et une partie de démonstration ne vont ensemble qu’avec DEMO=1.`,
  );
}

/** The credentials of all bank sources when none has any, and likewise of all chats. */
function missingPairs(values: Values): (readonly [string, string])[] {
  return [pairsOf(bankSources), pairsOf(chats)].flatMap((pairs) =>
    pairs.some(([id, secret]) => values[id] || values[secret]) ? [] : pairs,
  );
}
