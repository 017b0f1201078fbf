import { type Selectable, sql, type Updateable } from 'kysely';
import { dayMs, hourMs } from '../../../shared/calendar/durations.ts';
import { withFirstOfMonth } from '../../../shared/calendar/first-of-month.ts';
import type { Deletion } from '../../../shared/contract/deletions.ts';
import { deletionSteps } from '../../../shared/deletion/steps.ts';
import type { NotificationsDeps } from '../../notifications/deps.ts';
import { whileSlotsAreLocked } from '../../notifications/schedule/slot-locks.ts';
import { deleteInBatches } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { mailBody } from '../../platform/mail/mail-body.ts';
import { redactAddresses } from '../../platform/mail/redaction.ts';
import type { Platform } from '../../platform/platform.ts';
import { deletionBefore, historyStart, type UpkeepStep } from '../../platform/upkeep.ts';
import { type DeletionJob, deletionJobs } from '../jobs.ts';
import { leaveBankSources } from './banks.ts';
import { revokeChats } from './chats.ts';
import { presentDeletion } from './queries.ts';

type DeletionRow = Selectable<Schema['deletions']>;
type Step = 'data_done_at' | 'bank_done_at' | 'chat_done_at';

/**
 * Does the remaining steps of a deletion; one that fails does not prevent the others. Throws when a
 * step is left: the queue tries again, and after its last try the hourly upkeep inserts a new job.
 */
export async function workOnDeletion(
  deps: NotificationsDeps,
  { deletionId }: DeletionJob,
): Promise<void> {
  const before = await beginTry(deps, deletionId);
  if (!before?.user_id) return;
  const { user_id: userId } = before;
  const failures: unknown[] = [];
  const attempt = async (step: Step, work: () => Promise<void>) => {
    if (before[step]) return;
    try {
      await work();
      await update(deps, deletionId, { [step]: deps.clock.now() });
    } catch (error) {
      failures.push(error);
    }
  };
  await attempt('data_done_at', () => eraseRows(deps, userId));
  await attempt('bank_done_at', () => leaveBankSources(deps, userId, before));
  await attempt('chat_done_at', () => revokeChats(deps, userId, before));
  if (failures.length > 0) {
    deps.log.warn({ deletionId, failures: failures.map(String) }, 'a deletion is not done yet');
    throw failures[0];
  }
  await sendReceipt(deps, deletionId);
}

async function beginTry(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  deletionId: string,
): Promise<DeletionRow | null> {
  const row = await database.sql
    .updateTable('deletions')
    .set({ tried_at: clock.now() })
    .where('id', '=', deletionId)
    .where('mailed_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** This long after the last step, the address is erased even if the mail could not be sent. */
const givenUpAfterMs = 7 * dayMs;

/** Mails the receipt, then erases everything that identifies the user. */
async function sendReceipt(deps: NotificationsDeps, deletionId: string): Promise<void> {
  const row = await deps.database.sql
    .selectFrom('deletions')
    .selectAll()
    .where('id', '=', deletionId)
    .executeTakeFirstOrThrow();
  if (row.recipient === null) return;
  const deletion = presentDeletion(row);
  const mail = { key: deletionId, to: row.recipient, ...receiptMail(deletion) };
  await deps.mailer.send(mail).catch((error: unknown) => {
    const failure = redactAddresses(String(error));
    deps.log.warn({ deletionId, failure }, 'a receipt was not taken');
    const since = deletion.doneDate ?? deletion.requestDate;
    const triedMs = deps.clock.now().getTime() - Date.parse(since);
    if (triedMs < givenUpAfterMs) throw new Error(failure);
  });
  const erased = { user_id: null, provider_users: null, recipient: null };
  await update(deps, deletionId, { ...erased, mailed_at: deps.clock.now() });
}

async function update(
  { database }: Pick<Platform, 'database'>,
  deletionId: string,
  change: Updateable<Schema['deletions']>,
): Promise<void> {
  await database.sql.updateTable('deletions').set(change).where('id', '=', deletionId).execute();
}

/**
 * The history first, in batches: it has no foreign key, and may be long. Deleting the user's row deletes
 * all other rows of the user by foreign keys; no delivery can be written once the slots are locked and the
 * notifications are gone.
 */
async function eraseRows({ database }: Pick<Platform, 'database'>, userId: string): Promise<void> {
  // Before the user's row is locked, which a reading of a bank that is being stored needs as well.
  // Without its row there, no reading is stored any more.
  await database.sql.deleteFrom('bank_refreshes').where('user_id', '=', userId).execute();
  await deleteInBatches(
    database,
    (limit) => sql`
      delete from deliveries where (user_id, messenger_id, local_date, sequence) in
        (select user_id, messenger_id, local_date, sequence from deliveries
          where user_id = ${userId} limit ${limit})`,
  );
  const all = { userId, messengerId: null };
  await whileSlotsAreLocked(database, all, async (transaction, requireHeld) => {
    // In the order of locks: the user, then the notifications.
    const user = transaction.selectFrom('users').select('id').where('id', '=', userId);
    await user.forUpdate().execute();
    const messengers = transaction.deleteFrom('messengers').where('user_id', '=', userId);
    for (const { slot_id } of await messengers.returning('slot_id').execute()) requireHeld(slot_id);
    await transaction.deleteFrom('users').where('id', '=', userId).execute();
    await transaction.deleteFrom('deliveries').where('user_id', '=', userId).execute();
  });
}

/** In French, plain text; each step with its time in Paris. */
function receiptMail({ requestDate, steps }: Pick<Deletion, 'requestDate' | 'steps'>): {
  subject: string;
  body: string;
} {
  return {
    subject: 'Votre compte Tirelire est supprimé',
    body: mailBody(
      `La suppression de votre compte a été demandée le ${inWords(requestDate)}. Voici ce qui a été fait\u202f:`,
      steps.map(lineOf).join('\n'),
      "Cet email est le reçu de cette suppression. Votre adresse est effacée dès qu'il est parti.",
    ),
  };
}

function lineOf({ name, doneDate, notDone }: Deletion['steps'][number]): string {
  const end = notDone.length > 0 ? 'incomplet, dernier essai le' : 'le';
  return [`- ${deletionSteps[name]}, ${end} ${inWords(doneDate)}`, ...notDone].join('\n  ');
}

function inWords(moment: string | null): string {
  return moment === null ? '—' : withFirstOfMonth(words.format(new Date(moment)));
}

const words = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Europe/Paris',
});

export const deletionUpkeep: UpkeepStep<Pick<Platform, 'database' | 'queue' | 'clock'>>[] = [
  deletionBefore('receipts', 'deletions', 'mailed_at', historyStart),
  { name: 'deletions requeued', run: requeueDeletions },
];

/** Inserts a new job for each deletion whose job was lost or has no retries left. */
export async function requeueDeletions({
  database,
  queue,
  clock,
}: Pick<Platform, 'database' | 'queue' | 'clock'>): Promise<void> {
  const now = clock.now();
  await inTransaction(database.sql, async (transaction) => {
    const rows = await transaction
      .updateTable('deletions')
      .set({ tried_at: now })
      .where('mailed_at', 'is', null)
      .where('tried_at', '<', new Date(now.getTime() - lostAfterMs))
      .returning('id')
      .execute();
    await queue.insert(
      transaction,
      deletionJobs,
      rows.map(({ id }) => ({ data: { deletionId: id } })),
    );
  });
}

/** Longer than the longest delay between two tries of the queue. */
const lostAfterMs = 6 * hourMs;
