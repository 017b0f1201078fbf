import type { Parts } from '../parts.ts';

/** The next moment at which any messenger of anyone sends; null when nothing is planned. */
export async function earliestSending(database: Parts['database']): Promise<Date | null> {
  const row = await database.sql
    .selectFrom('messengers')
    .select(({ fn }) => fn.min('next_at').as('at'))
    .where('next_at', 'is not', null)
    .executeTakeFirst();
  return row?.at ?? null;
}
