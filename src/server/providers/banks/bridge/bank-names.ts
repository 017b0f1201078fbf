import type { Logger } from 'pino';
import type { Clock } from '../../../platform/clock.ts';
import { createDayCache } from '../day-cache.ts';
import { BankSourceError } from '../failures.ts';
import { readText } from '../json-fields.ts';
import type { ListedBank } from '../port.ts';
import { type BridgeAnswer, type BridgeCaller, requireOk } from './calls.ts';
import { readList } from './lists.ts';
import { type NumberedRow, readRow } from './pagination.ts';

const timeoutMs = 6_000;

type Banks = ReadonlyMap<number, { name: string | null; country: string | null }>;

export interface BankNames {
  /** Null for each that is not told. */
  namesOf(ids: Iterable<number>): Promise<(id: number) => string | null>;
  /** Those of a country (ISO 3166). Throws when the list did not load. */
  list(country: string): Promise<ListedBank[]>;
}

/**
 * The names of banks by Bridge's provider id, from its list, kept for a day. An id that the list
 * lacks is asked for alone. While Bridge does not answer, what it said last holds. A missing name never
 * keeps a balance away.
 */
export function createBankNames({
  call,
  clock,
  log,
}: {
  call: BridgeCaller;
  clock: Clock;
  log: Logger;
}): BankNames {
  const lists = createDayCache<Banks>(clock);
  const names = createDayCache<string | null>(clock);
  const lastNames = new Map<number, string>();
  let lastList: Banks | null = null;

  return {
    async namesOf(ids) {
      const wanted = [...new Set(ids)];
      const list = wanted.length > 0 ? await listOnce() : null;
      const found = new Map<number, string | null>();
      const find = async (id: number) => {
        const listed = list?.get(id);
        found.set(id, listed ? listed.name : await nameOnce(id));
      };
      await Promise.all(wanted.map(find));
      return (id) => found.get(id) ?? null;
    },
    async list(country) {
      const list = (await listOnce()) ?? lastList;
      if (!list) throw new BankSourceError('unavailable', 'Bridge did not give its list of banks');
      return [...list].flatMap(([id, { name, country: told }]) =>
        name && told === country ? [{ id: String(id), name }] : [],
      );
    },
  };

  /** Null while it does not load. */
  function listOnce(): Promise<Banks | null> {
    return lists('all', loadList).catch(() => null);
  }

  async function loadList(): Promise<Banks> {
    try {
      const rows = await readList('/v3/providers', ask, readBank);
      const banks = rows.flatMap(({ bank }) =>
        bank
          ? [[bank.id, { name: readText(bank.name), country: readText(bank.country) }] as const]
          : [],
      );
      lastList = new Map(banks);
      return lastList;
    } catch (error) {
      log.warn({ err: error }, 'the list of banks did not load');
      throw error;
    }
  }

  function nameOnce(id: number): Promise<string | null> {
    const last = () => lastNames.get(id) ?? lastList?.get(id)?.name ?? null;
    return names(String(id), () => loadName(id)).catch(last);
  }

  async function loadName(id: number): Promise<string | null> {
    try {
      const name = readText(readRow(requireOk(await ask(`/v3/providers/${id}`)))?.name);
      if (name) lastNames.set(id, name);
      return name;
    } catch (error) {
      log.debug({ err: error, bank: id }, 'a bank has no name');
      throw error;
    }
  }

  function ask(path: string): Promise<BridgeAnswer> {
    return call({ method: 'GET', path, timeoutMs });
  }
}

/**
 * Of a bank, which Bridge describes at length, the name and the country are held. One that cannot be
 * read keeps no other bank's name away.
 */
function readBank(raw: unknown): { bank: NumberedRow | null } {
  const row = readRow(raw);
  return { bank: row && { id: row.id, name: row.name, country: row.country_code } };
}
