import { join, resolve } from 'node:path';
import { Check } from 'typebox/schema';
import type { Configuration } from './configuration.ts';
import type { Environment } from './environment.ts';
import { ConfigurationFaults } from './faults.ts';
import { readLimits } from './limits.ts';
import { listOf } from './lists.ts';
import { readBridge, readSlack } from './providers.ts';
import { combinationFaults, type Purpose } from './rules.ts';
import { type VariableName, Variables } from './variables.ts';

/** Throws `ConfigurationFaults` with every fault at once. Relative folders count from `folder`. */
export function readConfiguration(
  environment: Environment,
  purpose: Purpose,
  folder: string,
): Configuration {
  const values = knownValues(environment);
  const faults = [...shapeFaults(values), ...combinationFaults(values, purpose)];
  if (faults.length > 0) throw new ConfigurationFaults(faults);
  return configurationFrom(values, folder);
}

function knownValues(environment: Environment): Variables {
  const values: Variables = {};
  for (const name of variableNames) {
    const value = environment[name]?.trim();
    if (value) values[name] = value;
  }
  return values;
}

const variableNames = Object.keys(Variables.properties) as VariableName[];

function shapeFaults(values: Variables): string[] {
  const wrong = variableNames.filter((name) => {
    const value = values[name];
    if (value === undefined) return false;
    return !Check(Variables.properties[name], value) || !isPlausible(name, value);
  });
  return wrong.map((name) => `${name} doit être ${expectedOf(name)}.`);
}

/** What a pattern cannot say. */
function isPlausible(name: VariableName, value: string): boolean {
  if (name === 'PORT') return Number(value) <= 65_535;
  if (/^(https?|postgres(ql)?|smtps?):\/\//.test(value)) return URL.canParse(value);
  return true;
}

function expectedOf(name: VariableName): string {
  const { expected } = Variables.properties[name] as { expected?: string };
  return expected ?? 'valable';
}

function configurationFrom(values: Variables, folder: string): Configuration {
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
    bridge: readBridge(values),
    slack: readSlack(values),
    demoMixed: isOn(values.DEMO),
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

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
