import { type Selectable, sql } from 'kysely';
import type { ExportedBalance, ExportedDelivery } from '../../../shared/contract/exports.ts';
import { fromMinor } from '../../../shared/money/minor-units.ts';
import { presentDelivery } from '../../notifications/deliveries/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';

type Data = Pick<Platform, 'database'>;

const pageSize = 1000;

/** Every balance of every account, by account and day. */
export async function* balancePages(
  { database }: Data,
  ownerId: string,
): AsyncGenerator<ExportedBalance[]> {
  let last: Selectable<Schema['bank_balances']> | undefined;
  do {
    const rows = await database.sql
      .selectFrom('bank_balances')
      .selectAll()
      .where('user_id', '=', ownerId)
      .where(
        after('account_id, day', last && [sql`${last.account_id}::bigint`, sql`${last.day}::date`]),
      )
      .orderBy('account_id')
      .orderBy('day')
      .limit(pageSize)
      .execute();
    yield rows.map((row) => ({
      account: { id: row.account_id },
      day: row.day,
      balance: fromMinor(row.balance_minor, row.currency),
      currency_code: row.currency,
      as_of: row.as_of.toISOString(),
    }));
    last = rows.length === pageSize ? rows.at(-1) : undefined;
  } while (last);
}

/** Every delivery of every notification, by notification and moment. */
export async function* deliveryPages(
  { database }: Data,
  ownerId: string,
): AsyncGenerator<ExportedDelivery[]> {
  let last: Selectable<Schema['deliveries']> | undefined;
  do {
    const rows = await database.sql
      .selectFrom('deliveries')
      .selectAll()
      .where('user_id', '=', ownerId)
      .where(
        after(
          'messenger_id, due_at, id',
          last && [sql`${last.messenger_id}::uuid`, sql`${last.due_at}`, sql`${last.id}::uuid`],
        ),
      )
      .orderBy('messenger_id')
      .orderBy('due_at')
      .orderBy('id')
      .limit(pageSize)
      .execute();
    yield rows.map((row) => ({
      messenger: { id: row.messenger_id },
      ...presentDelivery(row),
      figures: exportedFigures(row),
    }));
    last = rows.length === pageSize ? rows.at(-1) : undefined;
  } while (last);
}

/** What comes after a row in the order of an index; everything when there is none yet. */
function after(columns: string, values: ReturnType<typeof sql>[] | undefined) {
  return values ? sql<boolean>`(${sql.raw(columns)}) > (${sql.join(values)})` : sql<boolean>`true`;
}

function exportedFigures({
  figures,
}: Selectable<Schema['deliveries']>): ExportedDelivery['figures'] {
  return Object.entries(figures ?? {}).map(([id, [minor, currency]]) => ({
    account: { id: Number(id) },
    balance: fromMinor(minor, currency),
    currency_code: currency,
  }));
}
