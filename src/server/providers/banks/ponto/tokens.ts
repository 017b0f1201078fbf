import type { Clock } from '../../../platform/clock.ts';
import { credentialPrint } from '../refusals.ts';
import type { PontoPair } from './accesses.ts';

/** Renewed this early: a call may take its time. */
const earlyMs = 60_000;
const mostTokens = 10_000;

interface Token {
  opening: Promise<string>;
  /** Once it came. */
  value: string | null;
  /** Epoch ms; infinite while it is asked for. */
  until: number;
}

/** The tokens of integrations, in memory and by a print of their pair. Calls at once share one. */
export function createTokens(
  clock: Clock,
  open: (pair: PontoPair) => Promise<{ token: string; seconds: number }>,
) {
  const known = new Map<string, Token>();
  const start = (pair: PontoPair, print: string): Promise<string> => {
    const begun = clock.now().getTime();
    const entry: Token = { opening: opened(), value: null, until: Number.POSITIVE_INFINITY };
    known.set(print, entry);
    const oldest = known.size > mostTokens ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
    return entry.opening;

    async function opened(): Promise<string> {
      try {
        const { token, seconds } = await open(pair);
        Object.assign(entry, { value: token, until: begun + seconds * 1000 - earlyMs });
        return token;
      } catch (error) {
        if (known.get(print) === entry) known.delete(print);
        throw error;
      }
    }
  };
  return {
    of(pair: PontoPair): Promise<string> {
      const print = printOf(pair);
      const entry = known.get(print);
      const isUsable = entry && clock.now().getTime() < entry.until;
      return isUsable ? entry.opening : start(pair, print);
    },
    /** `token` is the one that was refused: another call may have renewed it meanwhile. */
    discard(pair: PontoPair, token?: string): void {
      const print = printOf(pair);
      if (token === undefined || known.get(print)?.value === token) known.delete(print);
    },
  };
}

function printOf({ clientId, clientSecret }: PontoPair): string {
  return credentialPrint(`${clientId}:${clientSecret}`);
}
