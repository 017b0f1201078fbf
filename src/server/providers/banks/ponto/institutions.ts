import type { Logger } from 'pino';
import type { Clock } from '../../../platform/clock.ts';
import { createDayCache } from '../day-cache.ts';
import { BankSourceError } from '../failures.ts';
import { isRecord, readText } from '../json-fields.ts';
import type { ListedBank } from '../port.ts';
import type { PontoCaller } from './calls.ts';
import { type Row, readList, readRow } from './lists.ts';

export type Institutions = ReturnType<typeof createInstitutions>;

/**
 * Ponto's public list of banks by country, and the name of one by its id, each kept for a day. They
 * need no access: documentation.myponto.com/api, "financial institutions".
 */
export function createInstitutions(
  caller: PontoCaller,
  { clock, log, apiUrl }: { clock: Clock; log: Logger; apiUrl: string },
) {
  const lists = createDayCache<ListedBank[]>(clock);
  const names = createDayCache<string | null>(clock);
  const loadList = async (country: string) => {
    const query = `filter%5Bcountry%5D%5Beq%5D=${country}`;
    const rows = await readList(caller, apiUrl, null, `/financial-institutions?${query}`);
    return rows.flatMap((row) => {
      const name = nameOf(row);
      return name && isOffered(row) ? [{ id: row.id, name }] : [];
    });
  };
  const loadName = async (id: string) => {
    const path = `/financial-institutions/${encodeURIComponent(id)}`;
    const { data } = await caller.ask(null, { method: 'GET', path, timeoutMs: 6_000 });
    return nameOf(readRow(data));
  };
  return {
    list: (country: string) => lists(country, () => loadList(country)),
    /** Null when Ponto does not tell it: a missing name keeps no balance away. */
    async nameOf(id: string): Promise<string | null> {
      if (id === '') return null;
      try {
        return await names(id, () => loadName(id));
      } catch (error) {
        if (!(error instanceof BankSourceError)) throw error;
        log.debug({ err: error }, 'a bank has no name');
        return null;
      }
    },
  };
}

function nameOf({ attributes }: Row): string | null {
  return isRecord(attributes) ? readText(attributes.name) : null;
}

function isOffered({ attributes }: Row): boolean {
  return !(isRecord(attributes) && attributes.deprecated === true);
}
