import { pino } from 'pino';
import { createHttpClient } from '../../../src/server/platform/http-client/http-client.ts';
import type { ClientDetails, SourceLink } from '../../../src/server/providers/banks/connect.ts';
import type { ConfiguredBankSource } from '../../../src/server/providers/banks/definition.ts';
import { BankSourceError } from '../../../src/server/providers/banks/failures.ts';
import type { BankSource } from '../../../src/server/providers/banks/port.ts';
import { type ManualClock, manualClock } from '../../support/clock.ts';

const log = pino({ level: 'silent' });

/** Opens sources of one kind, each without a memory, on a clock that stands still. */
export function openFixture() {
  const clock = manualClock();
  const httpClient = createHttpClient({ log });
  return {
    clock,
    open: (configured: ConfiguredBankSource): BankSource =>
      configured.open({
        ...{ httpClient, clock, log, callLimiter: async () => 0, keyedLimiter: countedIn(clock) },
      }),
    close: () => httpClient.close(),
  };
}

/** What the database counts, in memory. */
function countedIn(clock: ManualClock) {
  const uses = new Map<string, number[]>();
  const take = async (key: string, { most, spanMs }: { most: number; spanMs: number }) => {
    const now = clock.now().getTime();
    const recent = (uses.get(key) ?? []).filter((at) => at > now - spanMs);
    const oldest = recent[recent.length - most];
    if (oldest !== undefined) return oldest + spanMs - now;
    uses.set(key, [...recent, now]);
    return 0;
  };
  const giveBack = async (key: string) => void uses.get(key)?.pop();
  return Object.assign(take, { giveBack });
}

export const as = (secret: string | null): SourceLink => ({
  ...{ userId: 'ana', email: 'ana@exemple.fr', providerUserId: null, secret },
});

export const clientDetails: ClientDetails = {
  ...{ ip: '203.0.113.7', userAgent: 'Navigateur', accept: '*/*', acceptLanguage: 'fr' },
  ...{ acceptEncoding: 'gzip', referer: 'https://tirelire.exemple.fr/' },
};

export async function refusal(promise: Promise<unknown>) {
  const error = await promise.catch((thrown: unknown) => thrown);
  if (!(error instanceof BankSourceError)) throw new Error(`no refusal: ${error}`);
  const { kind, retryAfterSeconds, sentence } = error;
  return { kind, retryAfterSeconds, sentence, said: `${error.message} ${error.stack}` };
}
