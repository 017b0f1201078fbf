import { pino } from 'pino';
import { createHttpClient } from '../../../../src/server/platform/http-client/http-client.ts';
import { createBridge } from '../../../../src/server/providers/banks/bridge/adapter.ts';
import type { ConnectSession, SourceLink } from '../../../../src/server/providers/banks/connect.ts';
import { BankSourceError } from '../../../../src/server/providers/banks/failures.ts';
import type {
  BankAccount,
  BankConnection,
  BankSource,
} from '../../../../src/server/providers/banks/port.ts';
import type { BridgeStandinOptions } from '../../../../standins/bridge/options.ts';
import { type BridgeStandin, startBridgeStandin } from '../../../../standins/bridge/server.ts';
import { type ManualClock, manualClock } from '../../../support/clock.ts';

export interface Fixture {
  clock: ManualClock;
  bank: BridgeStandin;
  bridge: BankSource;
  /** A second server that keeps nothing of the first one's memory. */
  another(apiUrl?: string): BankSource;
  user(userId: string): Promise<SourceLink>;
  close(): Promise<void>;
}

/** The production adapter and the stand-in, over real HTTP. */
export async function startFixture(options: Partial<BridgeStandinOptions> = {}): Promise<Fixture> {
  const clock = manualClock();
  const log = pino({ level: 'silent' });
  const httpClient = createHttpClient({ log });
  const bank = await startBridgeStandin({ clock, ...options });
  const another = (apiUrl = bank.url) => {
    const { clientId, clientSecret } = bank;
    const configuration = { apiUrl, clientId, clientSecret, webhookSecrets: [] };
    const callLimiter = async () => 0;
    return createBridge({
      configuration,
      httpClient,
      clock,
      log,
      callLimiter,
      keyedLimiter: callLimiter,
    });
  };
  const bridge = another();
  return {
    clock,
    bank,
    bridge,
    another,
    user: async (userId) => ({
      userId,
      providerUserId: await usersOf(bridge).register(userId),
      email: 'ana@exemple.fr',
      secret: null,
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
  if (!(error instanceof BankSourceError)) throw new Error(`no refusal: ${error}`);
  const { kind, retryAfterSeconds } = error;
  return { kind, retryAfterSeconds };
}

export async function itemsOf(source: BankSource, link: SourceLink): Promise<BankConnection[]> {
  return (await source.read(link, null, [])).connections;
}

export async function accountsOf(source: BankSource, link: SourceLink): Promise<BankAccount[]> {
  return (await source.read(link, null, [])).accounts;
}

export function usersOf({ users }: BankSource): NonNullable<BankSource['users']> {
  if (!users) throw new Error('no users');
  return users;
}

/** The page for a new bank, or about the connection that the session names. */
export function openPage(
  source: BankSource,
  link: SourceLink,
  { connectionId, ...session }: ConnectSession,
): Promise<string> {
  if (connectionId !== undefined && source.openEditPage) {
    return source.openEditPage(link, { ...session, connectionId });
  }
  if (source.connect.kind !== 'redirect') throw new Error('no page');
  return source.connect.begin(link, session);
}
