import { join, resolve } from 'node:path';
import {
  isOn,
  listOf,
  pairFaults,
  type platformVariables,
  type Values,
  withoutSlash,
} from './variables.ts';

/** The values of the platform's own variables, read once and passed on. */
export interface Configuration {
  port: number;
  host: string;
  /** Without a trailing slash. Every link given to a browser starts with it. */
  publicUrl: string;
  /** Without a trailing slash: a path of this origin, or another origin's address. */
  apiUrl: string;
  /** How many proxies stand before the program; further entries in X-Forwarded-* are not believed. */
  trustProxy: number;
  role: 'all' | 'web' | 'worker';
  dataDir: string;
  /** The folder with one folder for each account whose statements are put there; null without it. */
  statementsDir: string | null;
  database: { engine: 'embedded'; folder: string } | { engine: 'postgres'; url: string };
  /** Key material for sealing at rest, newest first; empty until one is generated. */
  appSecrets: string[];
  /** The demonstration's own page; null in production. Set by the demonstration, not by a variable. */
  demoUrl: string | null;
  mail: { smtpUrl: string; from: string } | null;
  operatorEmails: string[];
  operatorName: string | null;
  metricsToken: string | null;
  heartbeatUrl: string | null;
  limits: ThrottlingLimits;
  logLevel: string;
}

/**
 * How many tries are free before each further one waits longer (identity/throttling/limits.ts): the
 * variable of each limit, and its value without it.
 */
const limitSettings = {
  /** At one account from one address. */
  perAccountAndAddress: ['LIMIT_PER_ACCOUNT_AND_ADDRESS', 5],
  /** At one account, from the addresses where its owner has not signed in. */
  perAccount: ['LIMIT_PER_ACCOUNT', 100],
  /** From one address, at accounts whose owners have not signed in there. */
  perAddress: ['LIMIT_PER_ADDRESS', 100],
  /** Second factors of one account. */
  secondFactors: ['LIMIT_SECOND_FACTORS', 10],
  /** Accounts created from one address. */
  signUps: ['LIMIT_SIGN_UPS', 300],
  /** Mails requested by one account. */
  mails: ['LIMIT_MAILS', 5],
  /** Test messages of one account. */
  tests: ['LIMIT_TESTS', 30],
  /** Chats linked by a form, each with a trial message, by one account. */
  links: ['LIMIT_LINKS', 10],
  longestDelaySeconds: ['LIMIT_LONGEST_DELAY', 900],
} as const satisfies Record<string, readonly [keyof typeof platformVariables, number]>;

export type ThrottlingLimits = Record<keyof typeof limitSettings, number>;

/** Relative folders count from `folder`. The values must be free of faults. */
export function platformConfiguration(values: Values, folder: string): Configuration {
  const port = Number(values.PORT ?? 3000);
  const dataDir = resolve(folder, values.DATA_DIR ?? 'data');
  return {
    port,
    host: values.HOST ?? '127.0.0.1',
    publicUrl: publicUrlOf(values),
    apiUrl: withoutSlash(values.API_URL ?? '/api'),
    // `true` is one proxy; `false` and `off` are none.
    trustProxy: Number(values.TRUST_PROXY ?? 0) || Number(isOn(values.TRUST_PROXY)),
    role: (values.ROLE ?? 'all') as Configuration['role'],
    dataDir,
    statementsDir: values.STATEMENTS_DIR ? resolve(folder, values.STATEMENTS_DIR) : null,
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
    limits: throttlingLimits(values),
    logLevel: values.LOG_LEVEL ?? 'info',
  };
}

/** Without a trailing slash, and with a host as browsers send it: in lower case and ASCII. */
export function publicUrlOf({ PUBLIC_URL, PORT }: Values): string {
  return new URL(PUBLIC_URL ?? `http://localhost:${PORT ?? 3000}`).origin;
}

function throttlingLimits(values: Values): ThrottlingLimits {
  const limits = Object.entries(limitSettings).map(([name, [variable, standard]]) => [
    name,
    Number(values[variable] ?? standard),
  ]);
  return Object.fromEntries(limits) as ThrottlingLimits;
}

export const defaultLimits = throttlingLimits({});

/** French sentences about values that are valid one by one and wrong together. */
export function platformFaults(values: Values): string[] {
  const faults: string[] = [];
  const { ROLE, DATABASE_URL, APP_SECRET } = values;
  if ((ROLE === 'web' || ROLE === 'worker') && !DATABASE_URL) {
    faults.push(
      `DATABASE_URL manque : ROLE=${ROLE} partage son travail avec d'autres processus, ce que la base intégrée ne permet pas.`,
    );
  }
  if (DATABASE_URL && !APP_SECRET) {
    faults.push(
      'APP_SECRET manque : avec DATABASE_URL, toutes les machines doivent recevoir le même secret.',
    );
  }
  return [...faults, ...pairFaults(values, ['SMTP_URL', 'MAIL_FROM'])];
}

/** Every fault of the configuration, in French. The program does not start. */
export class ConfigurationFaults extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      ['La configuration ne permet pas de démarrer :', ...faults.map((f) => `  - ${f}`)].join('\n'),
    );
    this.name = 'ConfigurationFaults';
    this.faults = faults;
  }
}
