import { pino } from 'pino';
import { createHttpClient } from '../../../../src/server/platform/http-client/http-client.ts';
import { createBridge } from '../../../../src/server/providers/banks/bridge/adapter.ts';
import {
  type BankProvider,
  BankProviderError,
  type BankUser,
} from '../../../../src/server/providers/banks/port.ts';
import type { BridgeStandinOptions } from '../../../../standins/bridge/options.ts';
import { type BridgeStandin, startBridgeStandin } from '../../../../standins/bridge/server.ts';
import { type ManualClock, manualClock } from '../../../support/clock.ts';

export interface Setting {
  clock: ManualClock;
  bank: BridgeStandin;
  bridge: BankProvider;
  /** A second server that keeps nothing of the first one's memory. */
  another(apiUrl?: string): BankProvider;
  user(userId: string): Promise<BankUser>;
  close(): Promise<void>;
}

/** The production adapter and the stand-in, over real HTTP. */
export async function startSetting(options: Partial<BridgeStandinOptions> = {}): Promise<Setting> {
  const clock = manualClock();
  const log = pino({ level: 'silent' });
  const httpClient = createHttpClient({ log });
  const bank = await startBridgeStandin({ clock, ...options });
  const another = (apiUrl = bank.url) => {
    const { clientId, clientSecret } = bank;
    const configuration = { apiUrl, clientId, clientSecret, webhookSecrets: [] };
    const allowance = async () => 0;
    return createBridge({ configuration, httpClient, clock, log, allowance });
  };
  const bridge = another();
  return {
    clock,
    bank,
    bridge,
    another,
    user: async (userId) => ({
      userId,
      providerUserId: await bridge.registerUser(userId),
      email: 'ana@exemple.fr',
    }),
    async close() {
      await httpClient.close();
      await bank.close();
    },
  };
}

/** What a call that has to fail was told. */
export async function refusal(promise: Promise<unknown>) {
  const error = await promise.catch((thrown: unknown) => thrown);
  if (!(error instanceof BankProviderError)) throw new Error(`no refusal: ${error}`);
  const { kind, retryAfterSeconds } = error;
  return { kind, retryAfterSeconds };
}
