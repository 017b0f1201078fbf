import { sql, type Transaction } from 'kysely';
import { endingIn, remindedBeforeMs } from '../../../shared/banks/consents.ts';
import { mailJobs } from '../../identity/jobs.ts';
import { queueMail } from '../../identity/mails/outbox.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { mailBody } from '../../platform/mail/mail-body.ts';
import { type MinuteChecks, startMinuteChecks } from '../../platform/minute-checks.ts';
import type { BankingDeps } from '../deps.ts';

type Needed = Pick<
  BankingDeps,
  'database' | 'queue' | 'clock' | 'randomness' | 'vault' | 'configuration' | 'bankSources'
>;

/** Sends the reminders that are due, once a minute. */
export function startConsentReminders(deps: Needed & Pick<BankingDeps, 'log'>): MinuteChecks {
  const check = async () => {
    while ((await sendConsentReminders(deps)) > 0);
  };
  return startMinuteChecks(deps, check, 'the reminders of consents wait for the database');
}

/** Reminders written in one transaction. */
const most = 100;

/**
 * Mails the owners of connections whose consent ends within 14 days, and again within 3: once each for
 * a connection and the day of its end, however many workers check. Where its source is not configured any
 * more, it cannot be renewed. Returns the number of mails, at most a hundred.
 */
export async function sendConsentReminders(deps: Needed): Promise<number> {
  const now = deps.clock.now();
  const due = await inTransaction(deps.database.sql, async (transaction) => {
    const rows = await claimDue(transaction, now, [...deps.bankSources.keys()]);
    for (const row of rows) {
      await queueMail(deps, transaction, {
        userId: row.user_id,
        cause: `consent ${row.connection_id} ${row.kind} ${row.ends_on}`,
        now,
        ...reminderMail(row, now, deps.configuration.publicUrl),
      });
    }
    return rows;
  });
  if (due.length > 0) deps.queue.announce(mailJobs);
  return due.length;
}

interface Due {
  user_id: string;
  connection_id: number;
  kind: keyof typeof remindedBeforeMs;
  ends_on: string;
  bank_name: string;
  ends_at: Date;
}

async function claimDue(
  transaction: Transaction<Schema>,
  now: Date,
  sources: string[],
): Promise<Due[]> {
  const within = (kind: keyof typeof remindedBeforeMs) =>
    new Date(now.getTime() + remindedBeforeMs[kind]);
  const { rows } = await sql<Due>`
    with due as (
      select c.user_id, c.id as connection_id, c.bank_name, c.authentication_expires_at as ends_at,
        case when c.authentication_expires_at <= ${within('3-days')} then '3-days' else '14-days' end
          as kind,
        (c.authentication_expires_at at time zone 'Europe/Paris')::date as ends_on
      from bank_connections c
      where c.authentication_expires_at > ${now}
        and c.authentication_expires_at <= ${within('14-days')} and c.gone_at is null
        and c.state <> 'renew' and c.source = any(${sources}::text[])
    ), claimed as (
      insert into bank_reminders (user_id, connection_id, kind, ends_on, created_at)
      select c.user_id, c.id, kind, ends_on, ${now}
      from due join bank_connections c on c.user_id = due.user_id and c.id = due.connection_id
      where not exists (select 1 from bank_reminders r where r.user_id = due.user_id
        and r.connection_id = due.connection_id and r.kind = due.kind and r.ends_on = due.ends_on)
      order by c.user_id, c.id limit ${most} for key share of c
      on conflict do nothing
      returning user_id, connection_id
    )
    select due.* from due join claimed using (user_id, connection_id)`.execute(transaction);
  return rows;
}

/** In French, plain text. The link leads to the bank's page once its reader is signed in. */
function reminderMail({ bank_name, connection_id, ends_at }: Due, now: Date, publicUrl: string) {
  const bank = bank_name.replace(/\s+/g, ' ').trim();
  const when = endingIn(ends_at, now);
  return {
    subject: `L'accès à ${bank} se termine ${when}`,
    body: mailBody(
      `L'accès de Tirelire à vos comptes chez ${bank} se termine ${when}. Ensuite, leurs soldes ne seront plus mis à jour.`,
      `Pour le renouveler\u202f:\n${publicUrl}/renouveler/${connection_id}`,
    ),
  };
}
