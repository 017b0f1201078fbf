import { BankSourceError } from './failures.ts';

/** "Actualiser" is asked for again before `waitMs` have passed. */
export function pressedTooSoon(waitMs: number): BankSourceError {
  const minutes = Math.max(1, Math.ceil(waitMs / 60_000));
  const when = minutes === 1 ? 'dans une minute' : `dans ${minutes} minutes`;
  return new BankSourceError('page-limit', 'A reading was asked for too soon', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    sentence: `L'actualisation de cette banque vient d'être demandée. Réessayez ${when}.`,
  });
}
