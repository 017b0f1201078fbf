import { type Kysely, sql } from 'kysely';
import { addDays } from '../../../shared/calendar/local-date.ts';
import { parisDayOf } from '../../../shared/calendar/wall-clock.ts';
import { distinctAccounts } from '../../../shared/message/duplicates.ts';
import type { MessageAccount } from '../../../shared/message/figures.ts';
import { fromMinor } from '../../../shared/money/minor-units.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Chart } from '../../providers/chats/posting.ts';
import { type FigureKey, figuresOf, withChoice } from './figures.ts';

/** A delivery, and the ids of the accounts that an unsaved choice covers; null for the saved one. */
interface Charted extends FigureKey {
  deliveryId: string;
  chosen: number[] | null;
}

/**
 * The totals of each delivery's notification by day, one chart for each of its first two currencies, by
 * the delivery's id. Where too few days are known there is none.
 */
export async function readCharts(
  database: Kysely<Schema>,
  asked: Charted[],
  now: Date,
): Promise<Map<string, Chart[]>> {
  if (asked.length === 0) return new Map();
  const figures = await figuresOf(database, asked);
  const covered = asked.map(({ deliveryId, userId, messengerId, chosen }) => {
    const accounts = withChoice(figures(messengerId).accounts, chosen);
    return { deliveryId, userId, accounts: distinctAccounts(accounts) };
  });
  const given = covered.map(({ deliveryId, userId, accounts }) => ({
    ...{ delivery_id: deliveryId, user_id: userId },
    accounts: accounts.flatMap(idsOf),
  }));
  const today = parisDayOf(now);
  const { rows } = await sql<DayBalance & { delivery_id: string }>`
    select given.delivery_id, b.account_id, b.day, b.balance_minor, b.currency
    from ${records(given, 'delivery_id uuid, user_id uuid, accounts json')}
    join bank_balances b on b.user_id = given.user_id
      and b.account_id in (select value::bigint from json_array_elements_text(given.accounts))
    where b.day > ${addDays(today, -daysLookedAt)}::date and b.day <= ${today}::date`.execute(
    database,
  );
  const found = Map.groupBy(rows, ({ delivery_id: id }) => id);
  return new Map(
    covered.map(({ deliveryId, accounts }) => [
      deliveryId,
      chartsOf(accounts, found.get(deliveryId) ?? [], today),
    ]),
  );
}

/** What a bank gave for one day of Paris. */
export interface DayBalance {
  account_id: number;
  /** YYYY-MM-DD. */
  day: string;
  balance_minor: number;
  currency: string;
}

/** An account that the total adds, with its duplicates through other sources. */
interface DistinctAccount {
  account: Pick<MessageAccount, 'id' | 'currency' | 'balanceMinor'>;
  duplicates: Pick<MessageAccount, 'id'>[];
}

const daysLookedAt = 60;
const maxPoints = 20;
const maxCharts = 2;
/** A figure stands for the days on which the product would not call it old. */
const standsForDays = 2;

/**
 * The sums of the accounts that have a balance now, over the latest days of which each of them is
 * known: a day with a gap is left out, because its sum would be that of fewer accounts.
 */
export function chartsOf(accounts: DistinctAccount[], rows: DayBalance[], today: string): Chart[] {
  const known = new Map(rows.map((row) => [`${row.account_id} ${row.day} ${row.currency}`, row]));
  const withBalance = accounts.filter(({ account }) => account.balanceMinor !== null);
  const ofCurrency = [...Map.groupBy(withBalance, ({ account }) => account.currency)].slice(
    0,
    maxCharts,
  );
  return ofCurrency.flatMap(([currency, some]) => {
    const points: Chart['points'] = [];
    for (let back = 0; back < daysLookedAt && points.length < maxPoints; back += 1) {
      const day = addDays(today, -back);
      const balances = some.map((one) => balanceOn(known, idsOf(one), day, currency));
      if (balances.includes(null)) continue;
      const minor = balances.reduce<number>((sum, balance) => sum + (balance ?? 0), 0);
      points.unshift({ day, value: fromMinor(minor, currency) });
    }
    return points.length > 1 ? [{ currency, points }] : [];
  });
}

/** The newest balance of that day or of the two before it, through whichever source it came then. */
function balanceOn(
  known: ReadonlyMap<string, DayBalance>,
  ids: number[],
  day: string,
  currency: string,
): number | null {
  for (let back = 0; back <= standsForDays; back += 1) {
    for (const id of ids) {
      const row = known.get(`${id} ${addDays(day, -back)} ${currency}`);
      if (row) return row.balance_minor;
    }
  }
  return null;
}

function idsOf({ account, duplicates }: DistinctAccount): number[] {
  return [account, ...duplicates].map(({ id }) => id);
}
