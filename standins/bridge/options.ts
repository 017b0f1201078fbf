import type { StandinOptions } from '../service/options.ts';
import { type Bank, banks } from './banks.ts';

export interface BridgeStandinOptions extends StandinOptions {
  clientId?: string;
  clientSecret?: string;
  /** Addresses a browser may be sent back to, as prefixes; null, the default, for any. */
  callbackPrefixes?: string[] | null;
  /** Those of the list; its pages offer the usual ones. */
  banks?: readonly Bank[];
  /** Secrets newest first: one or two are signed with. */
  webhook?: { url: string; secret: string | string[] };
  /** Bridge's request limits per user and application; off by default. */
  limits?: boolean;
  /** How long a new or repaired item stays at -2 or -3. */
  syncMs?: number;
  /** Answers alternate between the forms that Bridge's documentation leaves open. Default off. */
  varied?: boolean;
}

export type CompleteOptions = Required<Omit<BridgeStandinOptions, 'webhook'>> & {
  webhook: { url: string; secrets: string[] } | null;
};

export function completeOptions(given: BridgeStandinOptions): CompleteOptions {
  const { webhook } = given;
  return {
    port: 0,
    stateFile: null,
    clientId: 'sandbox_id_demo',
    clientSecret: 'sandbox_secret_demo',
    callbackPrefixes: null,
    banks,
    limits: false,
    syncMs: 3_000,
    varied: false,
    ...given,
    webhook: webhook ? { url: webhook.url, secrets: [webhook.secret].flat() } : null,
  };
}
