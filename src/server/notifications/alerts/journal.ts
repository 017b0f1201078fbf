import { EventEmitter } from 'node:events';
import { sql, type Transaction } from 'kysely';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import type { FigureJournal } from '../deps.ts';

/** Nothing is kept of people who have no alert, nor of a figure without a date: it may be of any age. */
export function createFigureJournal({ randomness }: Pick<Platform, 'randomness'>): FigureJournal {
  const events = new EventEmitter();
  return {
    async record(transaction, { userId, readAt, figures }) {
      const rows = figures.flatMap(({ accountId, minor, currency, asOf }) => {
        if (!asOf) return [];
        // A bank may write a moment that has not come.
        const as_of = asOf < readAt ? asOf : readAt;
        return [{ account_id: accountId, balance_minor: minor, currency, as_of }];
      });
      if (rows.length === 0) return;
      await sql`
        insert into alert_readings (user_id, reading, account_id, balance_minor, currency, as_of)
        select a.user_id, ${randomness.uuid()}::uuid, a.id, given.balance_minor, given.currency,
          given.as_of
        from ${records(rows, 'account_id bigint, balance_minor bigint, currency text, as_of timestamptz')}
        join bank_accounts a on a.user_id = ${userId} and a.id = given.account_id
          and a.type = 'checking'
        where exists (select from alerts w where w.user_id = ${userId})
        order by a.id`.execute(transaction);
    },
    committed: () => void events.emit('figures'),
    onFigures(listener) {
      events.on('figures', listener);
      return () => void events.off('figures', listener);
    },
  };
}

/** The figures of one reading, by account. */
export type JournalReading = Map<number, { minor: number; currency: string; asOf: number }>;

/** Takes all readings of a user out of the journal, in the order in which they were stored. */
export async function takeReadings(
  transaction: Transaction<Schema>,
  userId: string,
): Promise<JournalReading[]> {
  const rows = await transaction
    .deleteFrom('alert_readings')
    .where('user_id', '=', userId)
    .returningAll()
    .execute();
  const readings = Map.groupBy(
    rows.sort((one, other) => one.id - other.id),
    ({ reading }) => reading,
  );
  return [...readings.values()].map(
    (figures) =>
      new Map(
        figures.map(({ account_id, balance_minor: minor, currency, as_of }) => [
          account_id,
          { minor, currency, asOf: as_of.getTime() },
        ]),
      ),
  );
}
