import type { Clock } from '../../../platform/clock.ts';
import { createDayCache } from '../day-cache.ts';
import { BankSourceError } from '../failures.ts';
import { isRecord, readNumber, readText } from '../json-fields.ts';
import type { ListedBank } from '../port.ts';
import type { BankIdentity } from './accesses.ts';
import type { Caller } from './calls.ts';
import type { Application } from './keys.ts';

export interface BankTerms extends BankIdentity {
  /** The longest consent that it grants, in seconds. */
  longestSeconds: number;
  psuHeaders: string[];
}

/** What most banks grant, where one does not say: 90 days. */
export const usualSeconds = 90 * 24 * 60 * 60;

/** No longer consent is asked for: 180 days, the longest of the European rules (EU 2022/2360). */
export const longestConsentSeconds = 180 * 24 * 60 * 60;

export type Banks = ReturnType<typeof createBanks>;

/** The banks that an application shows for private persons, by country: `GET /aspsps`, kept for a day. */
export function createBanks(call: Caller, clock: Clock) {
  const lists = createDayCache<BankTerms[]>(clock);
  const listOf = (application: Application, country: string) =>
    lists(`${application.id} ${country}`, async () => {
      const query = new URLSearchParams({ country, service: 'AIS', psu_type: 'personal' });
      const { aspsps } = await call(application, { method: 'GET', path: `/aspsps?${query}` });
      if (!Array.isArray(aspsps)) {
        throw new BankSourceError('unavailable', 'Enable Banking answered no list of banks');
      }
      return aspsps.flatMap((bank) => termsOf(bank, country) ?? []);
    });
  return {
    list: async (application: Application, country: string): Promise<ListedBank[]> =>
      (await listOf(application, country)).map((bank) => ({ id: idOf(bank), name: bank.name })),
    /** Null for a bank that the application does not show. */
    async termsOf(application: Application, bank: BankIdentity): Promise<BankTerms | null> {
      const banks = await listOf(application, bank.country);
      return banks.find(({ name }) => name === bank.name) ?? null;
    },
  };
}

/** One that cannot be read keeps no other bank away. */
function termsOf(bank: unknown, country: string): BankTerms | null {
  const name = isRecord(bank) ? readText(bank.name) : null;
  if (!isRecord(bank) || !name) return null;
  const { psu_types: types, required_psu_headers: headers } = bank;
  if (Array.isArray(types) && !types.includes('personal')) return null;
  return {
    name,
    country: readText(bank.country) ?? country,
    longestSeconds: readNumber(bank.maximum_consent_validity) ?? usualSeconds,
    psuHeaders: Array.isArray(headers) ? headers.map(String) : [],
  };
}

export function idOf({ name, country }: BankIdentity): string {
  return `${country}/${name}`;
}

export function identityOf(id: string): BankIdentity {
  return { country: id.slice(0, 2), name: id.slice(3) };
}
