import { type TString, Type } from 'typebox';

/** What a variable must look like, and the French words for that (`expected`). */
export type VariableSchema = TString & { expected?: string };

/** Variables by name. A provider declares its own. */
export type VariableSchemas = Record<string, VariableSchema>;

/** The values that are set: all text, as an environment is. An empty one counts as unset. */
export type Values = Readonly<Record<string, string | undefined>>;

/** Those that no provider owns. */
export const platformVariables = {
  PORT: variable('^([1-9][0-9]{0,4})$', 'un numéro de port entre 1 et 65535'),
  HOST: variable('^[^\\s/]+$', 'une adresse ou un nom de machine, sans espace'),
  PUBLIC_URL: variable(
    '^https?://[^\\s/?#@]+/?$',
    'une adresse http:// ou https:// sans chemin, par exemple https://tirelire.exemple.fr',
  ),
  API_URL: variable(
    '^(/[^\\s?#]+|https?://[^\\s?#@]+)$',
    'un chemin (/api) ou une adresse http(s)',
  ),
  TRUST_PROXY: variable('^([0-9]|false|true)$', 'le nombre de proxys devant Tirelire, de 0 à 9'),
  DATABASE_URL: variable('^postgres(ql)?://\\S+$', 'une adresse postgres://'),
  DATA_DIR: variable('\\S', 'un dossier'),
  ROLE: variable('^(all|web|worker)$', 'all, web ou worker'),
  APP_SECRET: variable(
    '^[^,]{16,}(,[^,]{16,})*$',
    'un secret de 16 caractères au moins (plusieurs : séparés par des virgules, le plus récent d’abord)',
  ),
  DEMO: flag(),
  SMTP_URL: variable('^smtps?://\\S+$', 'une adresse smtp:// ou smtps://'),
  MAIL_FROM: variable('^[^\\r\\n]*[^\\s@]+@[^\\s@]+$', 'une adresse e-mail d’expéditeur'),
  OPERATOR_EMAILS: variable(
    '^\\s*[^\\s@,]+@[^\\s@,]+\\s*(,\\s*[^\\s@,]+@[^\\s@,]+\\s*)*$',
    'des adresses e-mail séparées par des virgules',
  ),
  OPERATOR_NAME: variable('^[^\\r\\n]+$', 'un nom sur une ligne'),
  METRICS_TOKEN: variable('^\\S{16,}$', 'un jeton de 16 caractères au moins, sans espace'),
  // Some services carry what they are told in its query.
  HEARTBEAT_URL: variable('^https?://[^\\s#@]+$', 'une adresse http:// ou https://'),
  LIMIT_PER_ACCOUNT_AND_ADDRESS: count(),
  LIMIT_PER_ACCOUNT: count(),
  LIMIT_PER_ADDRESS: count(),
  LIMIT_SECOND_FACTORS: count(),
  LIMIT_SIGN_UPS: count(),
  LIMIT_MAILS: count(),
  LIMIT_TESTS: count(),
  LIMIT_LONGEST_DELAY: count(),
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

function flag(): VariableSchema {
  return variable('^(0|1|false|true)$', '1 ou 0');
}

/** `a, b` as ['a', 'b']: how a variable holds several values. */
export function listOf(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
}
