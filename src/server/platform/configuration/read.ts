import { join, resolve } from 'node:path';
import { Check } from 'typebox/schema';
import { type Configuration, readLimits } from './configuration.ts';
import type { Environment } from './environment.ts';
import { listOf, type Values, type VariableSchemas } from './variables.ts';

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

/** What a pattern cannot say. */
function isPlausible(name: string, value: string): boolean {
  if (name === 'PORT') return Number(value) <= 65_535;
  if (/^(https?|postgres(ql)?|smtps?):\/\//.test(value)) return URL.canParse(value);
  return true;
}

/** Relative folders count from `folder`. */
export function platformConfiguration(values: Values, folder: string): Configuration {
  const port = Number(values.PORT ?? 3000);
  const dataDir = resolve(folder, values.DATA_DIR ?? 'data');
  return {
    port,
    host: values.HOST ?? '127.0.0.1',
    publicUrl: withoutSlash(values.PUBLIC_URL ?? `http://localhost:${port}`),
    apiUrl: withoutSlash(values.API_URL ?? '/api'),
    trustProxy: Number(values.TRUST_PROXY ?? 0) || Number(isOn(values.TRUST_PROXY)),
    role: (values.ROLE ?? 'all') as Configuration['role'],
    dataDir,
    database: values.DATABASE_URL
      ? { engine: 'postgres', url: values.DATABASE_URL }
      : { engine: 'embedded', folder: join(dataDir, 'database') },
    appSecrets: listOf(values.APP_SECRET),
    demoUrl: null,
    mail:
      values.SMTP_URL && values.MAIL_FROM
        ? { smtpUrl: values.SMTP_URL, from: values.MAIL_FROM }
        : null,
    operatorEmails: listOf(values.OPERATOR_EMAILS),
    operatorName: values.OPERATOR_NAME ?? null,
    metricsToken: values.METRICS_TOKEN ?? null,
    heartbeatUrl: values.HEARTBEAT_URL ?? null,
    limits: readLimits(values),
    logLevel: values.LOG_LEVEL ?? 'info',
  };
}

/** What several of the platform's variables say together that none says alone. */
export function platformFaults(values: Values): string[] {
  const faults: string[] = [];
  const { ROLE, DATABASE_URL, APP_SECRET } = values;
  if ((ROLE === 'web' || ROLE === 'worker') && !DATABASE_URL) {
    faults.push(
      `DATABASE_URL manque : ROLE=${ROLE} partage son travail avec d’autres processus, ce que la base intégrée ne permet pas.`,
    );
  }
  if (DATABASE_URL && !APP_SECRET) {
    faults.push(
      'APP_SECRET manque : avec DATABASE_URL, toutes les machines doivent recevoir le même secret.',
    );
  }
  return [...faults, ...pairFaults(values, ['SMTP_URL', 'MAIL_FROM'])];
}

/** Two variables of which one alone is useless. */
export function pairFaults(values: Values, [first, second]: readonly [string, string]): string[] {
  if (Boolean(values[first]) === Boolean(values[second])) return [];
  const [given, missing] = values[first] ? [first, second] : [second, first];
  return [`${missing} manque : ${given} est renseigné et ne suffit pas.`];
}

export function isOn(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
