import type { Clock } from '../../../platform/clock.ts';
import { dropOldest } from '../bounded-map.ts';
import { credentialsKey } from '../refusals.ts';
import type { PontoPair } from './accesses.ts';

/** Renewed this early: a call may take its time. */
const earlyMs = 60_000;
const maxTokens = 10_000;

interface Token {
  opening: Promise<string>;
  /** Once it came. */
  value: string | null;
  /** Epoch ms; infinite while it is asked for. */
  until: number;
}

/** The tokens of integrations, in memory and by a hash of their pair. Calls at once share one. */
export function createTokens(
  clock: Clock,
  open: (pair: PontoPair) => Promise<{ token: string; seconds: number }>,
) {
  const known = new Map<string, Token>();
  const start = (pair: PontoPair, key: string): Promise<string> => {
    const begun = clock.now().getTime();
    const entry: Token = { opening: opened(), value: null, until: Number.POSITIVE_INFINITY };
    known.set(key, entry);
    dropOldest(known, maxTokens);
    return entry.opening;

    async function opened(): Promise<string> {
      try {
        const { token, seconds } = await open(pair);
        Object.assign(entry, { value: token, until: begun + seconds * 1000 - earlyMs });
        return token;
      } catch (error) {
        if (known.get(key) === entry) known.delete(key);
        throw error;
      }
    }
  };
  return {
    of(pair: PontoPair): Promise<string> {
      const key = keyOf(pair);
      const entry = known.get(key);
      const isUsable = entry && clock.now().getTime() < entry.until;
      return isUsable ? entry.opening : start(pair, key);
    },
    /** `token` is the one that was refused: another call may have renewed it meanwhile. */
    discard(pair: PontoPair, token?: string): void {
      const key = keyOf(pair);
      if (token === undefined || known.get(key)?.value === token) known.delete(key);
    },
  };
}

function keyOf({ clientId, clientSecret }: PontoPair): string {
  return credentialsKey(`${clientId}:${clientSecret}`);
}
