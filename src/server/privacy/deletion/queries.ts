import type { Selectable } from 'kysely';
import type { Deletion } from '../../../shared/contract/deletions.ts';
import { hashOf } from '../../identity/sessions/token.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import { historyStart, type UpkeepStep } from '../../platform/upkeep.ts';
import { deletionJobs } from '../jobs.ts';

/** Found by the receipt alone, because the account no longer exists. */
export async function findDeletion(
  { database }: Pick<Platform, 'database'>,
  receipt: string,
): Promise<Deletion | null> {
  const row = await database.sql
    .selectFrom('deletions')
    .select(['requested_at', 'data_done_at', 'bank_done_at', 'chat_done_at'])
    .where('receipt_hash', '=', hashOf(receipt))
    .executeTakeFirst();
  return row ? presentDeletion(row) : null;
}

export function presentDeletion(row: DeletionDates): Deletion {
  const steps = [
    { name: 'data' as const, doneDate: row.data_done_at },
    { name: 'bank' as const, doneDate: row.bank_done_at },
    { name: 'chat' as const, doneDate: row.chat_done_at },
  ];
  const ends = steps.map(({ doneDate }) => doneDate?.getTime() ?? Number.POSITIVE_INFINITY);
  return {
    requestDate: row.requested_at.toISOString(),
    doneDate: textOf(latest(ends)),
    steps: steps.map(({ name, doneDate }) => ({ name, doneDate: textOf(doneDate) })),
  };
}

type DeletionDates = Pick<
  Selectable<Schema['deletions']>,
  'requested_at' | 'data_done_at' | 'bank_done_at' | 'chat_done_at'
>;

function latest(moments: number[]): Date | null {
  const last = Math.max(...moments);
  return Number.isFinite(last) ? new Date(last) : null;
}

function textOf(moment: Date | null): string | null {
  return moment?.toISOString() ?? null;
}

export const deletionUpkeep: UpkeepStep<Pick<Platform, 'database' | 'queue' | 'clock'>>[] = [
  { name: 'receipts', run: removeOldReceipts },
  { name: 'erasures taken up', run: takeUpDeletions },
];

async function removeOldReceipts(deps: Pick<Platform, 'database' | 'clock'>): Promise<void> {
  await deps.database.sql
    .deleteFrom('deletions')
    .where('mailed_at', '<', historyStart(deps))
    .execute();
}

/** Inserts a new job for each deletion whose job was lost or has no retries left. */
export async function takeUpDeletions({
  database,
  queue,
  clock,
}: Pick<Platform, 'database' | 'queue' | 'clock'>): Promise<void> {
  const now = clock.now();
  await database.sql.transaction().execute(async (sql) => {
    const rows = await sql
      .updateTable('deletions')
      .set({ tried_at: now })
      .where('mailed_at', 'is', null)
      .where('tried_at', '<', new Date(now.getTime() - lostAfterMs))
      .returning('id')
      .execute();
    await queue.insert(
      sql,
      deletionJobs,
      rows.map(({ id }) => ({ data: { deletionId: id } })),
    );
  });
}

/** Longer than the longest delay between two tries of the queue. */
const lostAfterMs = 6 * 3_600_000;
