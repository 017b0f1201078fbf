/** What the environment said, read once by `read.ts` and passed on as values. */
export interface Configuration {
  port: number;
  host: string;
  /** Without a trailing slash. Every link given to a browser starts with it. */
  publicUrl: string;
  /** Without a trailing slash: a path of this origin, or another origin's address. */
  apiUrl: string;
  trustProxy: boolean;
  role: 'all' | 'web' | 'worker';
  dataDir: string;
  database: { engine: 'embedded'; folder: string } | { engine: 'postgres'; url: string };
  /** Key material for sealing at rest, newest first; empty only before one is generated. */
  appSecrets: string[];
  bridge: BridgeConfiguration | null;
  slack: SlackConfiguration | null;
  /** One real and one demo part together are allowed. */
  demoMixed: boolean;
  /** The demonstration's own page; null in production. Set by the demonstration, never by a variable. */
  demoUrl: string | null;
  mail: { smtpUrl: string; from: string } | null;
  operatorEmails: string[];
  operatorName: string | null;
  metricsToken: string | null;
  heartbeatUrl: string | null;
  logLevel: string;
}

export interface BridgeConfiguration {
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  webhookSecrets: string[];
}

export interface SlackConfiguration {
  /** With a trailing slash. */
  apiUrl: string;
  authorizeUrl: string;
  /** `bot` selects the classic pair (oauth.access), anything else the granular one (oauth.v2.access). */
  scope: string;
  clientId: string;
  clientSecret: string;
  signingSecrets: string[];
}
