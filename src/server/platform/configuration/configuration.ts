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
