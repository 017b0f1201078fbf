import type { platformVariables, Values } from './variables.ts';

/** What the environment said of all but the providers, read once and passed on as values. */
export interface Configuration {
  port: number;
  host: string;
  /** Without a trailing slash. Every link given to a browser starts with it. */
  publicUrl: string;
  /** Without a trailing slash: a path of this origin, or another origin's address. */
  apiUrl: string;
  /** How many proxies stand before the program; what else is in X-Forwarded-* anybody may have written. */
  trustProxy: number;
  role: 'all' | 'web' | 'worker';
  dataDir: string;
  database: { engine: 'embedded'; folder: string } | { engine: 'postgres'; url: string };
  /** Key material for sealing at rest, newest first; empty only before one is generated. */
  appSecrets: string[];
  /** The demonstration's own page; null in production. Set by the demonstration, never by a variable. */
  demoUrl: string | null;
  mail: { smtpUrl: string; from: string } | null;
  operatorEmails: string[];
  operatorName: string | null;
  metricsToken: string | null;
  heartbeatUrl: string | null;
  limits: AttemptLimits;
  logLevel: string;
}

/** How many attempts cost nothing before each one more delays the next; see identity/throttling/limits.ts. */
export interface AttemptLimits {
  /** At one account from one address. */
  perPlace: number;
  /** At one account, from wherever its owner is not known. */
  perAccount: number;
  /** From one address, at accounts that are not known there. */
  perAddress: number;
  /** Second factors of one account. */
  secondFactors: number;
  /** Accounts made from one address. */
  signUps: number;
  /** Mails that one account asks for. */
  mails: number;
  /** Test messages of one account. */
  tests: number;
  longestDelaySeconds: number;
}

/** What production runs with unless told otherwise. */
export const usualLimits: AttemptLimits = {
  perPlace: 5,
  perAccount: 100,
  perAddress: 100,
  secondFactors: 10,
  signUps: 300,
  mails: 5,
  tests: 30,
  longestDelaySeconds: 900,
};

export function readLimits(values: Values): AttemptLimits {
  const limits = { ...usualLimits };
  for (const [figure, name] of Object.entries(variableOf)) {
    const value = values[name];
    if (value !== undefined) limits[figure as keyof AttemptLimits] = Number(value);
  }
  return limits;
}

const variableOf = {
  perPlace: 'LIMIT_PER_ACCOUNT_AND_ADDRESS',
  perAccount: 'LIMIT_PER_ACCOUNT',
  perAddress: 'LIMIT_PER_ADDRESS',
  secondFactors: 'LIMIT_SECOND_FACTORS',
  signUps: 'LIMIT_SIGN_UPS',
  mails: 'LIMIT_MAILS',
  tests: 'LIMIT_TESTS',
  longestDelaySeconds: 'LIMIT_LONGEST_DELAY',
} as const satisfies Record<keyof AttemptLimits, keyof typeof platformVariables>;

/** What is wrong with the configuration, all of it, in French: the program does not start. */
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
