import type { Consent } from './accesses.ts';
import { type ConsentReading, speakersOf } from './readings.ts';

/**
 * Reads each account through the last consent that opens it, as banks count its readings: a consent is read
 * after the later ones that share an account with it, and without the accounts that these brought. A bank
 * that answers through one of them has answered.
 */
export function withoutRepeated(
  consents: Consent[],
  read: (consent: Consent, hasBankAnswered: boolean) => Promise<ConsentReading>,
): (consent: Consent) => Promise<ConsentReading> {
  const readings = new Map<Consent, Promise<ConsentReading>>();
  const readAfter = async (consent: Consent, later: Consent[]): Promise<ConsentReading> => {
    const laterReadings = await Promise.all(
      later.map(async (one) => {
        const reading = await readings.get(one)?.catch(() => null);
        return reading
          ? { ids: [...reading.accounts.map(({ id }) => id), ...reading.unshared], ...reading }
          : { ids: idsOf(one), answeringIds: [] };
      }),
    );
    const repeated = new Set(laterReadings.flatMap(({ ids }) => ids));
    const answering = new Set(laterReadings.flatMap(({ answeringIds }) => answeringIds));
    const accounts = consent.accounts.filter(({ id }) => !repeated.has(id));
    const speaking = speakersOf(consent.accounts, (account) => account);
    const hasBankAnswered = speaking.some(({ id }) => answering.has(id));
    return read({ ...consent, accounts }, hasBankAnswered);
  };
  for (const [index, consent] of [...consents.entries()].toReversed()) {
    const own = new Set(idsOf(consent));
    const later = consents.slice(index + 1).filter((one) => idsOf(one).some((id) => own.has(id)));
    readings.set(consent, readAfter(consent, later));
  }
  return (consent) => readings.get(consent) ?? read(consent, false);
}

/** As Enable Banking names them. */
export function idsOf({ accounts }: Consent): string[] {
  return accounts.map(({ id }) => id);
}
