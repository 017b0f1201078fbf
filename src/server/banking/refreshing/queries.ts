import { sql } from 'kysely';
import type { Platform } from '../../platform/platform.ts';

type Data = Pick<Platform, 'database' | 'clock'>;

export interface Lease {
  /** How many there had been when it was taken; see storeReading. */
  erasures: number;
  /** Its end, as the database writes it: while that stands in the row, nobody else has taken over. */
  until: string;
}

/** Longer than a reading takes; a worker that died in one is waited for no longer. */
export const leaseMs = 45_000;

/** The right to read this user's bank, held by one worker at a time. Null while another holds it. */
export async function takeLease({ database, clock }: Data, ownerId: string): Promise<Lease | null> {
  const { rows } = await sql<Lease>`
    insert into bank_refreshes as r (user_id, attempted_at, leased_until)
    values (${ownerId}, ${clock.now()}, now() + ${leaseMs}::int * interval '1 ms')
    on conflict (user_id) do update
      set attempted_at = excluded.attempted_at, leased_until = excluded.leased_until
      where r.leased_until is null or r.leased_until < now()
    returning r.erasures, r.leased_until::text as until`.execute(database.sql);
  return rows[0] ?? null;
}

export async function countErasures({ database }: Data, ownerId: string): Promise<number> {
  const row = await database.sql
    .selectFrom('bank_refreshes')
    .select('erasures')
    .where('user_id', '=', ownerId)
    .executeTakeFirst();
  return row?.erasures ?? 0;
}

/** Ends it without a reading; `failure` says how the provider failed, if it did. */
export async function dropLease(
  { database }: Data,
  ownerId: string,
  { until }: Lease,
  failure: string | null,
): Promise<void> {
  await database.sql
    .updateTable('bank_refreshes')
    .set({ leased_until: null, failure })
    .where('user_id', '=', ownerId)
    .where(sql<string>`leased_until::text`, '=', until)
    .execute();
}

/**
 * For how long somebody has been reading, null when nobody does, and how the last reading failed. One
 * held for longer than a lease lasts has broken off.
 */
export async function lookAtLease({ database }: Data, ownerId: string) {
  const { rows } = await sql<{ heldForMs: number | null; failure: string | null }>`
    select extract(epoch from now() - leased_until)::float8 * 1000 + ${leaseMs}::int as "heldForMs",
      failure
    from bank_refreshes where user_id = ${ownerId}`.execute(database.sql);
  return rows[0] ?? { heldForMs: null, failure: null };
}
