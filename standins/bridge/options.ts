export interface BridgeStandinOptions {
  /** 0, the default, takes a free one. */
  port?: number;
  clock: { now(): Date };
  /** Where the state outlives the process; null, the default, keeps it in memory. */
  stateFile?: string | null;
  clientId?: string;
  clientSecret?: string;
  /** Secrets newest first: one or two are signed with. */
  webhook?: { url: string; secret: string | string[] };
  /** Bridge's request limits per user and application; off by default. */
  limits?: boolean;
  /** How long a new or repaired item stays at -2 or -3. */
  syncMs?: number;
}

export type CompleteOptions = Required<Omit<BridgeStandinOptions, 'webhook'>> & {
  webhook: { url: string; secrets: string[] } | null;
};

export function completeOptions(given: BridgeStandinOptions): CompleteOptions {
  const { webhook } = given;
  return {
    port: given.port ?? 0,
    clock: given.clock,
    stateFile: given.stateFile ?? null,
    clientId: given.clientId ?? 'sandbox_id_demo',
    clientSecret: given.clientSecret ?? 'sandbox_secret_demo',
    webhook: webhook ? { url: webhook.url, secrets: [webhook.secret].flat() } : null,
    limits: given.limits ?? false,
    syncMs: given.syncMs ?? 3_000,
  };
}
