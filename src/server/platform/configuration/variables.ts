import { type TString, Type } from 'typebox';
import { Check } from 'typebox/schema';
import type { Environment } from './environment.ts';

/** The form of a variable's value, and the French words for it (`expected`). */
export type VariableSchema = TString & { expected?: string };

/** Variables by name. A provider declares its own. */
export type VariableSchemas = Record<string, VariableSchema>;

/** The values that are set, as text. An empty one counts as unset. */
export type Values = Readonly<Record<string, string | undefined>>;

/** An address as paths are appended to it. */
export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

/** The variables that belong to no provider. */
export const platformVariables = {
  PORT: variable('^([1-9][0-9]{0,4})$', 'un numéro de port entre 1 et 65535'),
  HOST: variable('^[^\\s/]+$', 'une adresse ou un nom de machine, sans espace'),
  PUBLIC_URL: variable(
    '^https?://[^\\s/?#@]+/?$',
    'une adresse http:// ou https:// sans chemin, par exemple https://tirelire.exemple.fr',
  ),
  API_URL: variable(
    '^(/[^\\s/?#][^\\s?#]*|https?://[^\\s?#@]+)$',
    'un chemin (/api) ou une adresse http(s)',
  ),
  TRUST_PROXY: variable(
    '^([0-9]|false|true|off)$',
    'le nombre de proxys devant Tirelire, de 0 à 9',
  ),
  DATABASE_URL: variable('^postgres(ql)?://\\S+$', 'une adresse postgres://'),
  DATA_DIR: variable('\\S', 'un dossier'),
  STATEMENTS_DIR: variable('\\S', 'un dossier'),
  ROLE: variable('^(all|web|worker)$', 'all, web ou worker'),
  APP_SECRET: variable(
    // Blanks around a secret do not count: `listOf` takes them away.
    '^\\s*[^,\\s][^,]{14,}[^,\\s]\\s*(,\\s*[^,\\s][^,]{14,}[^,\\s]\\s*)*$',
    "un secret de 16 caractères au moins (plusieurs : séparés par des virgules, le plus récent d'abord)",
  ),
  DEMO: variable('^(0|1|false|true)$', '1 ou 0'),
  SMTP_URL: variable('^smtps?://\\S+$', 'une adresse smtp:// ou smtps://'),
  MAIL_FROM: variable('^[^\\r\\n]*[^\\s@]+@[^\\s@]+$', "une adresse email d'expéditeur"),
  OPERATOR_EMAILS: variable(
    '^\\s*[^\\s@,]+@[^\\s@,]+\\s*(,\\s*[^\\s@,]+@[^\\s@,]+\\s*)*$',
    'des adresses email séparées par des virgules',
  ),
  OPERATOR_NAME: variable('^[^\\r\\n]+$', 'un nom sur une ligne'),
  METRICS_TOKEN: variable('^\\S{16,}$', 'un jeton de 16 caractères au moins, sans espace'),
  // A query is allowed: some monitoring services put their key there.
  HEARTBEAT_URL: variable('^https?://[^\\s#@]+$', 'une adresse http:// ou https://'),
  LIMIT_PER_ACCOUNT_AND_ADDRESS: count(),
  LIMIT_PER_ACCOUNT: count(),
  LIMIT_PER_ADDRESS: count(),
  LIMIT_SECOND_FACTORS: count(),
  LIMIT_SIGN_UPS: count(),
  LIMIT_MAILS: count(),
  LIMIT_TESTS: count(),
  LIMIT_LINKS: count(),
  // A counter that nothing was added to for an hour starts from zero: no delay outlives it.
  LIMIT_LONGEST_DELAY: variable(
    '^([1-9][0-9]{0,2}|[12][0-9]{3}|3[0-5][0-9]{2}|3600)$',
    'un nombre de secondes entre 1 et 3600',
  ),
  LOG_LEVEL: variable(
    '^(trace|debug|info|warn|error|fatal|silent)$',
    'trace, debug, info, warn, error, fatal ou silent',
  ),
} satisfies VariableSchemas;

export function variable(pattern: string, expected: string): VariableSchema {
  return Type.String({ pattern, expected });
}

export function text(): VariableSchema {
  return variable('^\\S+$', 'une valeur sans espace');
}

export function address(): VariableSchema {
  return variable('^https?://[^\\s?#@]+$', 'une adresse http:// ou https://');
}

function count(): VariableSchema {
  return variable('^[1-9][0-9]{0,5}$', 'un nombre entier entre 1 et 999999');
}

/** The values of the variables that `schemas` names, and a French sentence for each that is wrong. */
export function readValues(
  environment: Environment,
  schemas: VariableSchemas,
): { values: Values; faults: string[] } {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    const value = environment[name]?.trim();
    if (!value) continue;
    values[name] = value;
    if (Check(schema, value) && isPlausible(name, value)) continue;
    faults.push(`${name} doit être ${schema.expected ?? 'valable'}.`);
  }
  return { values, faults };
}

/** Checks that a pattern cannot express. */
function isPlausible(name: string, value: string): boolean {
  if (name === 'PORT') return Number(value) <= 65_535;
  if (!/^(https?|postgres(ql)?|smtps?):\/\//.test(value)) return true;
  return URL.canParse(value) && (name !== 'DATABASE_URL' || isDecodable(value));
}

/**
 * The client of the database throws where escapes give no UTF-8, as of a password with a `%` in it. It
 * takes a `%` that begins no escape as it is.
 */
function isDecodable(address: string): boolean {
  if (/%(?![0-9a-f]{2})/i.test(address)) return true;
  try {
    decodeURIComponent(address);
    return true;
  } catch {
    return false;
  }
}

/** A French sentence when one of two variables is set without the other. */
export function pairFaults(values: Values, [first, second]: readonly [string, string]): string[] {
  if (Boolean(values[first]) === Boolean(values[second])) return [];
  const [given, missing] = values[first] ? [first, second] : [second, first];
  return [`${missing} manque : ${given} seul ne suffit pas.`];
}

/** The value of a variable that holds several, separated by commas: `a, b` gives ['a', 'b']. */
export function listOf(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
}

export function isOn(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
