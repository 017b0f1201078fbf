import { isOn, pairFaults, type Values } from '../platform/configuration/variables.ts';
import type { ConfigurationWarning, CredentialVariables } from './definition.ts';

/**
 * `start` leaves a provider without credentials to the demonstration; `serve` is production, where
 * they must be there.
 */
export type Purpose = 'start' | 'serve';

/** All bank sources, or all chats. */
type Group = readonly Member[];

interface Member {
  credentials: CredentialVariables | null;
  optionalCredentials?: CredentialVariables;
}

/** French sentences: credentials given by halves, and those that `purpose` needs and has not. */
export function credentialFaults(
  groups: readonly Group[],
  values: Values,
  purpose: Purpose,
): string[] {
  return [
    ...groups.flatMap(pairsOf).flatMap((pair) => pairFaults(values, pair)),
    ...(purpose === 'serve'
      ? productionFaults(groups, values)
      : demonstrationFaults(groups, values)),
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

function pairsOf(group: Group): CredentialVariables[] {
  return group.flatMap(({ credentials }) => (credentials ? [credentials] : []));
}

/** One bank source and one chat must be there; which, and how many more, is the operator's choice. */
function productionFaults(groups: readonly Group[], values: Values): string[] {
  const asking = groups.filter((group) => pairsOf(group).length === group.length);
  return asking
    .flatMap((group) => missingPairs(group, values))
    .map(
      ([id, secret]) =>
        `${id} et ${secret} manquent : « npm run serve » n'a pas de démonstration (« npm start » en a une).`,
    );
}

/** Real balances must not land on a demonstration page by oversight. */
function demonstrationFaults(groups: readonly Group[], values: Values): string[] {
  const optional = groups.flat().flatMap((one) => one.optionalCredentials ?? []);
  const required = groups.flatMap(pairsOf).flat();
  const isAnyGiven = [...required, ...optional].some((name) => values[name]);
  if (!isAnyGiven || isOn(values.DEMO)) return [];
  return groups
    .flatMap((group) => missingPairs(group, values))
    .map(
      ([id, secret]) =>
        `${id} et ${secret} manquent : une partie réelle et une partie de démonstration ne vont ensemble qu'avec DEMO=1.`,
    );
}

/** The credentials of every member when none has any. */
function missingPairs(group: Group, values: Values): CredentialVariables[] {
  const pairs = pairsOf(group);
  return pairs.some(([id, secret]) => values[id] || values[secret]) ? [] : pairs;
}
