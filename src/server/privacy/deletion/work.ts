import type { Selectable } from 'kysely';
import { withoutAddresses } from '../../identity/mails/outbox.ts';
import type { NotificationsDeps } from '../../notifications/deps.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import type { DeletionJob } from '../jobs.ts';
import { withdrawChats } from './chats.ts';
import { eraseRows } from './erasing.ts';
import { receiptMail } from './mail.ts';
import { presentDeletion } from './presentation.ts';

type DeletionRow = Selectable<Schema['deletions']>;
type Step = 'data_done_at' | 'bank_done_at' | 'chat_done_at';

/**
 * Does what is left of a deletion; a step that fails keeps no other from being done. Throws when
 * something is left: the queue tries again, and after many tries the upkeep puts it there anew.
 */
export async function workOnDeletion(
  deps: NotificationsDeps,
  { deletionId }: DeletionJob,
): Promise<void> {
  const before = await beginTry(deps, deletionId);
  if (!before?.user_id) return;
  const { user_id: userId, provider_user_id: providerUserId } = before;
  const failures: unknown[] = [];
  const attempt = async (step: Step, work: () => Promise<void>) => {
    if (before[step]) return;
    try {
      await work();
      await note(deps, deletionId, { [step]: deps.clock.now() });
    } catch (error) {
      failures.push(error);
    }
  };
  await attempt('data_done_at', () => eraseRows(deps, userId));
  await attempt('bank_done_at', () => deps.bank.removeUser({ userId, providerUserId }));
  await attempt('chat_done_at', () => withdrawChats(deps, userId));
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

/** An address that takes no mail is forgotten all the same. */
const givenUpAfterMs = 7 * 86_400_000;

/** Nothing that names the user stays behind the receipt. */
async function sendReceipt(deps: NotificationsDeps, deletionId: string): Promise<void> {
  const row = await deps.database.sql
    .selectFrom('deletions')
    .selectAll()
    .where('id', '=', deletionId)
    .executeTakeFirstOrThrow();
  if (row.recipient === null) return;
  const mail = { to: row.recipient, ...receiptMail(presentDeletion(row)) };
  await deps.mailer.send(mail).catch((error: unknown) => {
    const failure = withoutAddresses(String(error));
    deps.log.warn({ deletionId, failure }, 'a receipt was not taken');
    const triedMs = deps.clock.now().getTime() - row.requested_at.getTime();
    if (triedMs < givenUpAfterMs) throw new Error(failure);
  });
  const forgotten = { user_id: null, provider_user_id: null, recipient: null };
  await note(deps, deletionId, { ...forgotten, mailed_at: deps.clock.now() });
}

async function note(
  { database }: Pick<Platform, 'database'>,
  deletionId: string,
  change: Partial<DeletionRow>,
): Promise<void> {
  await database.sql.updateTable('deletions').set(change).where('id', '=', deletionId).execute();
}
