import {
  type Configuration,
  ConfigurationFaults,
  platformConfiguration,
  platformFaults,
} from '../platform/configuration/configuration.ts';
import type { Environment } from '../platform/configuration/environment.ts';
import {
  listOf,
  platformVariables,
  readValues,
  type Values,
  variable,
} from '../platform/configuration/variables.ts';
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
  const offered = offeredChats(values);
  const all = [
    ...faults,
    ...platformFaults(values),
    ...unknownChats(values),
    ...credentialFaults([bankSources, offered], values, purpose),
  ];
  if (all.length > 0) throw new ConfigurationFaults(all);
  return {
    ...platformConfiguration(values, folder),
    bankSources: configured(bankSources, values),
    chats: configured(offered, values),
  };
}

/** The chats that `CHATS` names, in the order of the registry; all without it. */
function offeredChats({ CHATS }: Values): typeof chats {
  const named = listOf(CHATS);
  return named.length === 0 ? chats : chats.filter(({ kind }) => named.includes(kind));
}

function unknownChats({ CHATS }: Values): string[] {
  const kinds = chats.map(({ kind }) => kind);
  return listOf(CHATS)
    .filter((kind) => /^[a-z]+$/.test(kind) && !kinds.includes(kind))
    .map(
      (kind) =>
        `CHATS nomme ${kind}, qui n’est pas l’une de ces messageries : ${kinds.join(', ')}.`,
    );
}

/** Every variable that the program reads. */
export const allVariables = Object.assign(
  {},
  platformVariables,
  { CHATS: variable('^[a-z]+(\\s*,\\s*[a-z]+)*$', 'des messageries séparées par des virgules') },
  ...[...bankSources, ...chats].map(({ variables }) => variables),
);

function configured<Configured>(
  definitions: readonly { configure(values: Values): Configured | null }[],
  values: Values,
): Configured[] {
  return definitions.flatMap((definition) => definition.configure(values) ?? []);
}
