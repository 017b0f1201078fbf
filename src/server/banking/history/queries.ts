import { sql } from 'kysely';
import { deleteInSlices } from '../../platform/database/records.ts';
import type { Platform } from '../../platform/platform.ts';
import type { UpkeepStep } from '../../platform/upkeep.ts';
import { bankDayOf, keptDays } from './days.ts';

/** One per account and day since `firstDay` (YYYY-MM-DD), by account and day; of one account alone if asked. */
export async function listBalances(
  { database }: Pick<Platform, 'database'>,
  ownerId: string,
  firstDay: string,
  accountId: number | null = null,
) {
  return await database.sql
    .selectFrom('bank_balances as b')
    .innerJoin('bank_accounts as a', (on) =>
      on.onRef('a.user_id', '=', 'b.user_id').onRef('a.id', '=', 'b.account_id'),
    )
    .select(['b.account_id', 'b.day', 'b.balance_minor', 'b.currency', 'b.as_of'])
    .where('b.user_id', '=', ownerId)
    .where('b.day', '>=', firstDay)
    .where('a.gone_at', 'is', null)
    .$if(accountId !== null, (query) => query.where('b.account_id', '=', accountId))
    .orderBy('b.account_id')
    .orderBy('b.day')
    .execute();
}

const dayMs = 86_400_000;
/** An account that its source no longer lists may come back: until then its history is kept. */
const hiddenDays = 30;

type Needed = Pick<Platform, 'database' | 'clock'>;

export const bankingUpkeep: UpkeepStep[] = [
  { name: 'balances', run: removeOldBalances },
  { name: 'bank accounts', run: removeGoneAccounts },
  { name: 'bank connect sessions', run: removeExpiredConnectSessions },
  { name: 'bank limits', run: removePassedLimits },
];

async function removeOldBalances({ database, clock }: Needed): Promise<void> {
  const lastDay = bankDayOf(daysBefore(clock, keptDays));
  await deleteInSlices(
    database,
    (limit) => sql`
      delete from bank_balances where (user_id, account_id, day) in
        (select user_id, account_id, day from bank_balances where day <= ${lastDay}::date limit ${limit})`,
  );
}

async function removeGoneAccounts({ database, clock }: Needed): Promise<void> {
  await database.sql
    .deleteFrom('bank_accounts')
    .where('gone_at', '<', daysBefore(clock, hiddenDays))
    .execute();
}

async function removeExpiredConnectSessions({ database, clock }: Needed): Promise<void> {
  await database.sql
    .deleteFrom('bank_connect_sessions')
    .where('expires_at', '<', clock.now())
    .execute();
}

async function removePassedLimits({ database }: Needed): Promise<void> {
  await sql`delete from bank_calls where free_at < now()`.execute(database.sql);
}

function daysBefore(clock: Needed['clock'], days: number): Date {
  return new Date(clock.now().getTime() - days * dayMs);
}
