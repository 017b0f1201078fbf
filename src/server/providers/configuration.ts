import {
  type Configuration,
  ConfigurationFaults,
  platformConfiguration,
  platformFaults,
} from '../platform/configuration/configuration.ts';
import type { Environment } from '../platform/configuration/environment.ts';
import { platformVariables, readValues, type Values } from '../platform/configuration/variables.ts';
import type { ConfiguredBankSource } from './banks/definition.ts';
import { bankSources } from './banks/registry.ts';
import { type ConfiguredChat, chats } from './chats/registry.ts';
import { credentialFaults, type Purpose } from './credentials.ts';

/** All that the environment said. */
export interface AppConfiguration extends Configuration {
  /** Those with credentials; the demonstration plays the others. */
  bankSources: ConfiguredBankSource[];
  chats: ConfiguredChat[];
}

/** Throws `ConfigurationFaults` with every fault at once. Relative folders count from `folder`. */
export function readConfiguration(
  environment: Environment,
  purpose: Purpose,
  folder: string,
): AppConfiguration {
  const { values, faults } = readValues(environment, allVariables);
  const all = [
    ...faults,
    ...platformFaults(values),
    ...credentialFaults([bankSources, chats], values, purpose),
  ];
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
