import type { Clock } from '../../../platform/clock.ts';
import { dropOldest } from '../bounded-map.ts';
import { BankSourceError } from '../failures.ts';
import { isRecord, readMoment, readText } from '../json-fields.ts';
import { type BridgeCaller, isNotFound, requireOk } from './calls.ts';

/** Renewed this long before its end, and kept at least this long when the two clocks disagree. */
const marginMs = 60_000;
const assumedLifeMs = 10 * 60_000;
const maxKept = 10_000;

/** Bridge allows ten per user and minute: docs.bridgeapi.io/docs/basics. */
const maxPerMinute = 10;

export interface UserTokens {
  of(providerUserId: string): Promise<string>;
  /** After a 401: the next `of` asks for a new one, unless another call has done so already. */
  discard(providerUserId: string, token: string): void;
}

interface UserToken {
  token: Promise<string>;
  value: string | null;
  until: number;
  asked: number[];
}

/** One token per user, in memory, asked for once however many wait for it. It lives two hours. */
export function createTokens(options: { call: BridgeCaller; clock: Clock }): UserTokens {
  const kept = new Map<string, UserToken>();
  return {
    of(providerUserId) {
      const now = options.clock.now().getTime();
      const known = kept.get(providerUserId);
      if (known && now < known.until) return known.token;
      const entry = ask(options, providerUserId, now, known?.asked ?? []);
      remember(kept, providerUserId, entry);
      return entry.token;
    },
    discard(providerUserId, token) {
      const known = kept.get(providerUserId);
      if (known?.value === token) known.until = Number.NEGATIVE_INFINITY;
    },
  };
}

function ask(
  options: { call: BridgeCaller; clock: Clock },
  providerUserId: string,
  now: number,
  before: number[],
): UserToken {
  const recent = before.filter((moment) => Math.abs(now - moment) < 60_000);
  const allowed = recent.length < maxPerMinute;
  const entry: UserToken = {
    token: allowed ? request() : Promise.reject(tooMany()),
    value: null,
    until: allowed ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY,
    asked: allowed ? [...recent, now] : recent,
  };
  return entry;

  async function request(): Promise<string> {
    try {
      const answer = await askBridge(options.call, providerUserId);
      const life = (answer.expiresAt?.getTime() ?? now + assumedLifeMs) - marginMs;
      entry.until = Math.max(life, now + marginMs);
      entry.value = answer.token;
      return answer.token;
    } catch (error) {
      entry.until = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }
}

/** https://docs.bridgeapi.io/docs/user-creation-authentication */
async function askBridge(
  call: BridgeCaller,
  providerUserId: string,
): Promise<{ token: string; expiresAt: Date | null }> {
  const answer = await call({
    method: 'POST',
    path: '/v3/aggregation/authorization/token',
    body: { user_uuid: providerUserId },
  });
  if (isNotFound(answer)) {
    throw new BankSourceError('unknown-user', 'Bridge no longer knows this user', {
      sentence:
        "Bridge ne vous reconnaît plus pour le moment\u202f: vos soldes restent ceux de la dernière lecture. Réessayez dans une heure, ou prévenez l'administrateur.",
    });
  }
  const body = requireOk(answer);
  const token = isRecord(body) ? readText(body.access_token) : null;
  if (!isRecord(body) || !token) {
    throw new BankSourceError('unavailable', 'Bridge answered without a token');
  }
  return { token, expiresAt: readMoment(body.expires_at) };
}

function remember(kept: Map<string, UserToken>, providerUserId: string, entry: UserToken): void {
  kept.delete(providerUserId);
  kept.set(providerUserId, entry);
  dropOldest(kept, maxKept);
}

function tooMany(): BankSourceError {
  const message = 'Ten tokens were asked for this user within a minute';
  return new BankSourceError('limited', message, { retryAfterSeconds: 60 });
}
