import type { Platform } from '../../platform/platform.ts';

type Data = Pick<Platform, 'database'>;

/** The provider's name for our user; null as long as the user has never needed it. */
export async function findBankUser(deps: Data, ownerId: string) {
  const row = await deps.database.sql
    .selectFrom('bank_users')
    .innerJoin('users', 'users.id', 'bank_users.user_id')
    .select(['bank_users.user_id', 'bank_users.provider_user_id', 'users.email'])
    .where('bank_users.user_id', '=', ownerId)
    .executeTakeFirst();
  return row
    ? { userId: row.user_id, providerUserId: row.provider_user_id, email: row.email }
    : null;
}

/** Written by two requests at once it stands once: both were given the same name there. */
export async function saveBankUser(
  deps: Pick<Platform, 'database' | 'clock'>,
  ownerId: string,
  providerUserId: string,
): Promise<void> {
  await deps.database.sql
    .insertInto('bank_users')
    .values({
      user_id: ownerId,
      provider_user_id: providerUserId,
      created_at: deps.clock.now(),
    })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ provider_user_id: providerUserId }),
    )
    .execute();
}

interface NewVisit {
  purpose: 'add' | 'edit' | 'pro';
  itemId?: number;
}

const visitLifeMs = 24 * 60 * 60_000;

/** Notes a trip to the provider's page. Returns the nonce that comes back with the browser. */
export async function saveVisit(
  deps: Pick<Platform, 'database' | 'clock' | 'randomness'>,
  ownerId: string,
  visit: NewVisit,
): Promise<string> {
  const now = deps.clock.now();
  const nonce = deps.randomness.bytes(24).toString('hex');
  await forgetVisits(deps, ownerId, now);
  await deps.database.sql
    .insertInto('bank_visits')
    .values({
      nonce,
      user_id: ownerId,
      purpose: visit.purpose,
      item_id: visit.itemId ?? null,
      created_at: now,
      expires_at: new Date(now.getTime() + visitLifeMs),
    })
    .execute();
  return nonce;
}

/**
 * Found by its nonce alone: a browser coming back carries no token. The one who took the trip is
 * the one it belongs to, and it is over once its outcome is final.
 */
export async function findVisit(deps: Pick<Platform, 'database' | 'clock'>, nonce: string) {
  const visit = await deps.database.sql
    .selectFrom('bank_visits')
    .select(['nonce', 'user_id', 'purpose'])
    .where('nonce', '=', nonce)
    .where('expires_at', '>', deps.clock.now())
    .executeTakeFirst();
  return visit ?? null;
}

export async function endVisit(deps: Data, ownerId: string, nonce: string): Promise<void> {
  await deps.database.sql
    .deleteFrom('bank_visits')
    .where('user_id', '=', ownerId)
    .where('nonce', '=', nonce)
    .execute();
}

async function forgetVisits(deps: Data, ownerId: string, now: Date): Promise<void> {
  await deps.database.sql
    .deleteFrom('bank_visits')
    .where('user_id', '=', ownerId)
    .where('expires_at', '<=', now)
    .execute();
}
