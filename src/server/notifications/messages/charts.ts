import { type Kysely, sql } from 'kysely';
import type { MessageAccount } from '../../../shared/message/figures.ts';
import { fromMinor } from '../../../shared/money/minor-units.ts';
import { type FigureKey, figuresOf } from '../../banking/figures/queries.ts';
import { bankDayOf } from '../../banking/history/days.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Chart } from '../../providers/chats/posting.ts';

/** A notification, and the ids of the accounts that an unsaved choice covers; null for the saved one. */
interface Charted extends FigureKey {
  chosen: number[] | null;
}

/**
 * The totals of each notification by day, one chart for each of its first two currencies. A
 * notification of which too few days are known has none.
 */
export async function readCharts(
  database: Kysely<Schema>,
  asked: Charted[],
  now: Date,
): Promise<Map<string, Chart[]>> {
  if (asked.length === 0) return new Map();
  const figures = await figuresOf(database, asked);
  const covered = new Map(
    asked.map(({ userId, messengerId, chosen }) => {
      const isCovered = ({ id, covered }: MessageAccount) => chosen?.includes(id) ?? covered;
      const accounts = figures(messengerId).accounts.filter(isCovered);
      return [messengerId, { userId, accounts }] as const;
    }),
  );
  const given = [...covered].map(([messengerId, { userId, accounts }]) => ({
    ...{ messenger_id: messengerId, user_id: userId },
    accounts: accounts.map(({ id }) => id),
  }));
  const today = bankDayOf(now);
  const { rows } = await sql<DayBalance & { messenger_id: string }>`
    select given.messenger_id, b.account_id, b.day, b.balance_minor, b.currency
    from ${records(given, 'messenger_id uuid, user_id uuid, accounts json')}
    join bank_balances b on b.user_id = given.user_id
      and b.account_id in (select value::bigint from json_array_elements_text(given.accounts))
    where b.day > ${dayBefore(today, lookedAt)}::date and b.day <= ${today}::date`.execute(
    database,
  );
  const found = Map.groupBy(rows, ({ messenger_id: id }) => id);
  return new Map(
    [...covered].map(([id, { accounts }]) => [id, chartsOf(accounts, found.get(id) ?? [], today)]),
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

const lookedAt = 60;
const mostPoints = 20;
const mostCharts = 2;
/** A figure stands for the days on which the product would not call it old. */
const standsForDays = 2;

/**
 * The sums of the accounts that have a balance now, over the latest days of which each of them is
 * known: a day with a gap is left out, because its sum would be that of fewer accounts.
 */
export function chartsOf(
  accounts: Pick<MessageAccount, 'id' | 'currency' | 'balanceMinor'>[],
  rows: DayBalance[],
  today: string,
): Chart[] {
  const known = new Map(rows.map((row) => [`${row.account_id} ${row.day} ${row.currency}`, row]));
  const counted = accounts.filter(({ balanceMinor }) => balanceMinor !== null);
  const ofCurrency = [...Map.groupBy(counted, ({ currency }) => currency)].slice(0, mostCharts);
  return ofCurrency.flatMap(([currency, some]) => {
    const points: Chart['points'] = [];
    for (let back = 0; back < lookedAt && points.length < mostPoints; back += 1) {
      const day = dayBefore(today, back);
      const balances = some.map(({ id }) => balanceOn(known, `${id}`, day, currency));
      if (balances.includes(null)) continue;
      const minor = balances.reduce<number>((sum, balance) => sum + (balance ?? 0), 0);
      points.unshift({ day, value: fromMinor(minor, currency) });
    }
    return points.length > 1 ? [{ currency, points }] : [];
  });
}

/** The newest balance of that day or of the two before it. */
function balanceOn(
  known: ReadonlyMap<string, DayBalance>,
  account: string,
  day: string,
  currency: string,
): number | null {
  for (let back = 0; back <= standsForDays; back += 1) {
    const row = known.get(`${account} ${dayBefore(day, back)} ${currency}`);
    if (row) return row.balance_minor;
  }
  return null;
}

function dayBefore(day: string, count: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) - count * 86_400_000).toISOString().slice(0, 10);
}
