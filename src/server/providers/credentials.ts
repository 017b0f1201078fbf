import { isOn, pairFaults, type Values } from '../platform/configuration/variables.ts';
import type { ConfigurationWarning, CredentialPair, CredentialVariables } from './definition.ts';

/**
 * `start` leaves a provider without credentials to the demonstration; `serve` is production, where
 * they must be there; a `command` of the operator calls neither banks nor chats, and needs none.
 */
export type Purpose = 'start' | 'serve' | 'command';

/** All bank sources, or all chats. */
type Group = readonly Member[];

interface Member {
  credentials: CredentialVariables | null;
  neededVariables?: CredentialPair;
  optionalCredentials?: CredentialPair;
}

/**
 * French sentences: credentials given by halves, and those that `purpose` needs and has not. `named`: the
 * members that the operator asks for.
 */
export function credentialFaults(
  groups: readonly Group[],
  named: Group,
  values: Values,
  purpose: Purpose,
): string[] {
  return [
    ...groups
      .flatMap(credentialsOf)
      .flatMap((names) => (names.length === 2 ? pairFaults(values, names) : [])),
    ...(purpose === 'serve' ? productionFaults(named, values) : []),
    ...(purpose === 'start' ? demonstrationFaults(groups, values) : []),
  ];
}

/** Optional credentials of which one is missing: what they would open is not offered. */
export function halfSetWarnings(
  { optionalCredentials: pair }: Member,
  values: Values,
): ConfigurationWarning[] {
  if (!pair || Boolean(values[pair[0]]) === Boolean(values[pair[1]])) return [];
  const [given, missing] = values[pair[0]] ? pair : [pair[1], pair[0]];
  return [
    {
      variable: missing,
      words: `${missing} manque : ${given} seul ne suffit pas, et rien de plus n'est proposé.`,
      remedy: `Renseignez ${missing}, ou retirez ${given}.`,
    },
  ];
}

function credentialsOf(group: Group): CredentialVariables[] {
  return group.flatMap(({ credentials }) => (credentials ? [credentials] : []));
}

/** What is named must be there; without names, whatever can be is offered. */
function productionFaults(named: Group, values: Values): string[] {
  return named
    .map(({ credentials, neededVariables }) => credentials ?? neededVariables ?? [])
    .filter((names) => names.length > 0 && !names.some((name) => values[name]))
    .map(
      (names) =>
        `${areMissing(names)} : « npm run serve » n'a pas de démonstration (« npm start » en a une).`,
    );
}

/** Real balances must not land on a demonstration page by oversight. */
function demonstrationFaults(groups: readonly Group[], values: Values): string[] {
  const optional = groups.flat().flatMap((one) => one.optionalCredentials ?? []);
  const required = groups.flatMap(credentialsOf).flat();
  const isAnyGiven = [...required, ...optional].some((name) => values[name]);
  if (!isAnyGiven || isOn(values.DEMO)) return [];
  return groups
    .map((group) => missingCredentials(group, values))
    .filter((choices) => choices.length > 0)
    .map(
      (choices) =>
        `Il manque ${choices.map((names) => names.join(' et ')).join(', ou ')} : une partie réelle et une partie de démonstration ne vont ensemble qu'avec DEMO=1.`,
    );
}

/** The credentials of every member when none has any. */
function missingCredentials(group: Group, values: Values): CredentialVariables[] {
  const credentials = credentialsOf(group);
  return credentials.flat().some((name) => values[name]) ? [] : credentials;
}

function areMissing(names: readonly string[]): string {
  return `${names.join(' et ')} ${names.length === 1 ? 'manque' : 'manquent'}`;
}
