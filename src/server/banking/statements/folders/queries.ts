import { type Selectable, sql } from 'kysely';
import type { Schema } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transactions.ts';
import type { Platform } from '../../../platform/platform.ts';

type Data = Pick<Platform, 'database'>;

export type AssignedFolder = Selectable<Schema['statement_folders']>;

/** What reading the files of a folder leaves in its row. */
export type FolderNotes = Partial<
  Pick<
    AssignedFolder,
    'account_source_id' | 'read_at' | 'refused_at' | 'refusal' | 'left_at' | 'left_file'
  >
>;

/** Every folder that feeds an account, with the address of its owner. For the operator alone. */
export async function listFolders({
  database,
}: Data): Promise<(AssignedFolder & { email: string })[]> {
  return await database.sql
    .selectFrom('statement_folders')
    .innerJoin('users', 'users.id', 'statement_folders.user_id')
    .selectAll('statement_folders')
    .select('users.email')
    .orderBy('name')
    .execute();
}

/** In place of an earlier assignment of this folder, of which nothing is kept. */
export async function assignFolder(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  userId: string,
  given: Pick<AssignedFolder, 'name' | 'bank_name' | 'account_name' | 'iban_print'>,
): Promise<void> {
  await inTransaction(database.sql, async (transaction) => {
    await transaction.deleteFrom('statement_folders').where('name', '=', given.name).execute();
    await transaction
      .insertInto('statement_folders')
      .values({ ...given, user_id: userId, created_at: clock.now() })
      .execute();
  });
}

/** False when it was not assigned. */
export async function releaseFolder({ database }: Data, name: string): Promise<boolean> {
  const { numDeletedRows } = await database.sql
    .deleteFrom('statement_folders')
    .where('name', '=', name)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * The right to read a folder, held by one process at a time, by the database's clock. Null while another
 * holds it. One that has ended leaves it after `seconds`.
 */
export async function acquireFolderLease(
  { database }: Data,
  name: string,
  seconds: number,
): Promise<AssignedFolder | null> {
  const folder = await database.sql
    .updateTable('statement_folders')
    .set({ leased_until: sql`now() + ${seconds}::int * interval '1 s'` })
    .where('name', '=', name)
    .where(({ eb, or }) =>
      or([eb('leased_until', 'is', null), eb('leased_until', '<', sql<Date>`now()`)]),
    )
    .returningAll()
    .executeTakeFirst();
  return folder ?? null;
}

/** Which account the folder feeds from now on. */
export async function setFolderAccount(
  { database }: Data,
  { name, user_id: userId, created_at: since }: AssignedFolder,
  accountSourceId: string,
): Promise<void> {
  await database.sql
    .updateTable('statement_folders')
    .set({ account_source_id: accountSourceId })
    .where('name', '=', name)
    .where('user_id', '=', userId)
    .where('created_at', '=', since)
    .execute();
}

/** Ends the right and notes what became of the files: nothing when the folder was assigned anew. */
export async function releaseFolderLease(
  { database }: Data,
  { name, user_id: userId, created_at: since }: AssignedFolder,
  noted: FolderNotes,
): Promise<void> {
  await database.sql
    .updateTable('statement_folders')
    .set({ ...noted, leased_until: null })
    .where('name', '=', name)
    .where('user_id', '=', userId)
    .where('created_at', '=', since)
    .execute();
}
