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
import { credentialFaults, halfSetWarnings, type Purpose } from './credentials.ts';
import type { ConfigurationWarning, CredentialPair, CredentialVariables } from './definition.ts';

/** All that the environment said. */
export interface AppConfiguration extends Configuration {
  /** Those with credentials; the demonstration plays the others. */
  bankSources: ConfiguredBankSource[];
  chats: ConfiguredChat[];
  /** Of variables that belong to no provider. */
  warnings: ConfigurationWarning[];
}

/** Throws `ConfigurationFaults` with every fault at once. Relative folders count from `folder`. */
export function readConfiguration(
  environment: Environment,
  purpose: Purpose,
  folder: string,
): AppConfiguration {
  const { values, faults } = readValues(environment, allVariables);
  const [namedSources, namedChats] = [
    named(bankSources, values.BANK_SOURCES),
    named(chats, values.CHATS),
  ];
  const sources = namedSources.length > 0 ? namedSources : bankSources;
  const offeredChats = namedChats.length > 0 ? namedChats : chats;
  const all = [
    ...faults,
    ...platformFaults(values),
    ...unknownIn('BANK_SOURCES', values, bankSources),
    ...unknownIn('CHATS', values, chats),
    ...credentialFaults([sources, offeredChats], [...namedSources, ...namedChats], values, purpose),
  ];
  if (all.length > 0) throw new ConfigurationFaults(all);
  return {
    ...platformConfiguration(values, folder),
    bankSources: configured(sources, values),
    chats: configured(offeredChats, values),
    warnings: unknownLimits(environment),
  };
}

/** Those that a variable names, in the order of the registry. */
function named<Definition extends { kind: string }>(
  definitions: readonly Definition[],
  value: string | undefined,
): readonly Definition[] {
  const names = listOf(value);
  return definitions.filter(({ kind }) => names.includes(kind));
}

/** French sentences for the names in a variable that nothing has. */
function unknownIn(
  name: keyof Values,
  values: Values,
  definitions: readonly { kind: string }[],
): string[] {
  const kinds = definitions.map(({ kind }) => kind);
  return listOf(values[name])
    .filter((kind) => /^[a-z]+$/.test(kind) && !kinds.includes(kind))
    .map((kind) => `${name} nomme ${kind}, qui n'est pas l'un de ceux-ci : ${kinds.join(', ')}.`);
}

/** No fault: another program's variable may have such a name. */
function unknownLimits(environment: Environment): ConfigurationWarning[] {
  const limits = Object.keys(platformVariables).filter((name) => name.startsWith('LIMIT_'));
  return Object.keys(environment)
    .filter((name) => name.startsWith('LIMIT_') && environment[name] && !limits.includes(name))
    .map((variable) => ({
      variable,
      words: "Aucune limite de Tirelire n'a ce nom : cette variable est sans effet.",
      remedy: `Corrigez son nom, ou retirez-la. Les limites sont ${limits.join(', ')}.`,
    }));
}

/** Every variable that the program reads. */
export const allVariables = Object.assign(
  {},
  platformVariables,
  {
    BANK_SOURCES: variable('^[a-z]+(\\s*,\\s*[a-z]+)*$', 'des noms séparés par des virgules'),
    CHATS: variable('^[a-z]+(\\s*,\\s*[a-z]+)*$', 'des noms séparés par des virgules'),
  },
  ...[...bankSources, ...chats].map(({ variables }) => variables),
);

function configured<Configured extends { warnings: ConfigurationWarning[] }>(
  definitions: readonly {
    credentials: CredentialVariables | null;
    optionalCredentials?: CredentialPair;
    configure(values: Values): Configured | null;
  }[],
  values: Values,
): Configured[] {
  return definitions.flatMap((definition) => {
    const provider = definition.configure(values);
    if (!provider) return [];
    const warnings = [...provider.warnings, ...halfSetWarnings(definition, values)];
    return [{ ...provider, warnings }];
  });
}
