import type { Logger } from 'pino';
import type { Clock } from '../../../platform/clock.ts';
import { readText } from '../json-fields.ts';
import { BankSourceError, type ListedBank } from '../port.ts';
import { type BridgeAnswer, type BridgeCaller, requireOk } from './calls.ts';
import { readList } from './lists.ts';
import { type NumberedRow, readRow } from './pagination.ts';

const dayMs = 24 * 60 * 60_000;
/** How soon a list that failed to load, or a bank that was missing, is asked for again. */
const retryMs = 5 * 60_000;
const timeoutMs = 6_000;

interface Known {
  name: string | null;
  country: string | null;
  until: number;
}

export interface BankNames {
  namesOf(ids: Iterable<number>): Promise<(id: number) => string>;
  /** Those of a country (ISO 3166). Throws when the list did not load. */
  list(country: string): Promise<ListedBank[]>;
}

/**
 * The names of banks by Bridge's provider id, from its list, kept for a day. An id that the list
 * lacks is asked for alone. A missing name never keeps a balance away: the bank is then called
 * "Banque nº 12".
 */
export function createBankNames(options: {
  call: BridgeCaller;
  clock: Clock;
  log: Logger;
}): BankNames {
  const names = new Map<number, Known>();
  let list: Promise<void> | null = null;
  let listUntil = Number.NEGATIVE_INFINITY;
  let isListed = false;

  return {
    async namesOf(ids) {
      const wanted = new Set(ids);
      const now = options.clock.now().getTime();
      if ([...wanted].some((id) => !isFresh(id, now))) await loadListOnce(now);
      const rest = [...wanted].filter((id) => !isFresh(id, now));
      await Promise.all(rest.map((id) => loadOne(id, now)));
      return (id) => names.get(id)?.name ?? `Banque nº ${id}`;
    },
    async list(country) {
      const now = options.clock.now().getTime();
      await loadListOnce(now);
      if (!isListed) {
        throw new BankSourceError('unavailable', 'Bridge did not give its list of banks');
      }
      return [...names].flatMap(([id, { name, country: told }]) =>
        name && told === country ? [{ id: String(id), name }] : [],
      );
    },
  };

  async function loadListOnce(now: number): Promise<void> {
    if (isTime(listUntil, now)) return;
    list ??= loadList(now);
    await list;
  }

  function isFresh(id: number, now: number): boolean {
    return isTime(names.get(id)?.until ?? Number.NEGATIVE_INFINITY, now);
  }

  async function loadList(now: number): Promise<void> {
    listUntil = now + retryMs;
    try {
      for (const { bank } of await readList('/v3/providers', ask, readBank)) {
        if (bank) keep(bank.id, bank.name, now, readText(bank.country));
      }
      listUntil = now + dayMs;
      isListed = true;
    } catch (error) {
      options.log.warn({ err: error }, 'the list of banks did not load');
    } finally {
      list = null;
    }
  }

  async function loadOne(id: number, now: number): Promise<void> {
    try {
      keep(id, readRow(requireOk(await ask(`/v3/providers/${id}`)))?.name, now);
    } catch (error) {
      options.log.debug({ err: error, bank: id }, 'a bank has no name');
      names.set(id, { name: names.get(id)?.name ?? null, country: null, until: now + retryMs });
    }
  }

  function keep(id: number, name: unknown, now: number, country: string | null = null): void {
    names.set(id, { name: readText(name), country, until: now + dayMs });
  }

  function ask(path: string): Promise<BridgeAnswer> {
    return options.call({ method: 'GET', path, timeoutMs });
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

/** Also false when the clock was set back by more than a day. */
function isTime(until: number, now: number): boolean {
  return now < until && until - now <= dayMs;
}
