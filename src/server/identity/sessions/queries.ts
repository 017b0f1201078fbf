import { type Kysely, sql, type Transaction } from 'kysely';
import { dayMs, hourMs } from '../../../shared/calendar/durations.ts';
import type { OpenSession } from '../../../shared/contract/sessions.ts';
import type { User } from '../../../shared/contract/users.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { isStorageFull } from '../../platform/database/storage-full.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { newToken, sha256Hex } from '../../platform/opaque-tokens.ts';
import type { Platform } from '../../platform/platform.ts';
import { isUuid } from '../../platform/uuid.ts';
import { identityErrors } from '../errors.ts';
import { type LockedUser, lockExistingUser } from '../users/queries.ts';

type Needed = Pick<Platform, 'database' | 'clock'>;

const lifetime = 30 * dayMs;

/**
 * Starts a session and returns its token, which is not stored. Null when the password was replaced
 * since it was checked: the row lock orders sign-ins and password changes. Deletes expired sessions, and
 * the oldest of an account that has too many.
 */
export async function startSession(
  deps: Needed & Pick<Platform, 'randomness'>,
  user: { id: string; passwordHash: string },
  device: string | null,
): Promise<string | null> {
  const now = deps.clock.now();
  const token = newToken(deps.randomness);
  // What another one is about to delete is left to it: neither waits for the other.
  await sql`
    delete from sessions where token_hash in (
      select token_hash from sessions where expires_at <= ${now} for update skip locked
    )`.execute(deps.database.sql);
  const isStarted = await inTransaction(deps.database.sql, async (transaction) => {
    const { numAffectedRows } = await sql`
      insert into sessions (id, token_hash, user_id, created_at, last_used_at, expires_at, device)
      select ${deps.randomness.uuid()}::uuid, ${sha256Hex(token)}, id, ${now}::timestamptz,
        ${now}::timestamptz, ${new Date(now.getTime() + lifetime)}::timestamptz, ${device}::text
      from users where id = ${user.id} and password_hash = ${user.passwordHash}
      for no key update`.execute(transaction);
    await endOldestSessions(transaction, user.id, sha256Hex(token));
    return numAffectedRows === 1n;
  });
  return isStarted ? token : null;
}

/** What one account may have open at a time. */
const maxSessions = 50;

/** Ends the sessions that were not used for longest, but for the new one. */
async function endOldestSessions(
  transaction: Transaction<Schema>,
  userId: string,
  newHash: string,
): Promise<void> {
  const others = transaction
    .selectFrom('sessions')
    .select('token_hash')
    .where('user_id', '=', userId)
    .where('token_hash', '<>', newHash);
  await transaction
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where(
      'token_hash',
      'in',
      others
        .orderBy('last_used_at', 'desc')
        .orderBy('created_at', 'desc')
        .offset(maxSessions - 1),
    )
    .execute();
}

/**
 * Undefined for an unknown or expired token; null when the account was deleted while the session was
 * open. A session ends 30 days after its last use.
 */
export async function findSessionUser(
  deps: Needed,
  token: string,
): Promise<User | null | undefined> {
  const now = deps.clock.now();
  const tokenHash = sha256Hex(token);
  const row = await deps.database.cached(`session:${tokenHash}`, (reader) =>
    read(reader, tokenHash),
  );
  if (!row || row.expires_at <= now) return undefined;
  // At most once an hour for each session, so that most requests do not write.
  const isUnnoted = now.getTime() - row.last_used_at.getTime() > hourMs;
  if (isUnnoted && deps.database.takesWrites()) {
    await deps.database.sql
      .updateTable('sessions')
      .set({ last_used_at: now, expires_at: new Date(now.getTime() + lifetime) })
      .where('token_hash', '=', tokenHash)
      .execute()
      .catch((error: unknown) => {
        // What is stored can still be read. PostgreSQL tells of a full disk only by refusing a write.
        if (!isStorageFull(error)) throw error;
      });
  }
  return row.user;
}

async function read(reader: Kysely<Schema>, tokenHash: string) {
  const row = await reader
    .selectFrom('sessions')
    .leftJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.expires_at', 'sessions.last_used_at'])
    .select(['users.id', 'users.email', 'users.firstname', 'users.lastname'])
    .where('sessions.token_hash', '=', tokenHash)
    .executeTakeFirst();
  if (!row) return null;
  const { id, email, firstname, lastname, ...session } = row;
  const isKnown = id !== null && email !== null && firstname !== null && lastname !== null;
  return { ...session, user: isKnown ? { id, email, firstname, lastname } : null };
}

/** For whom something is written, and by which session it is asked for. */
export interface Actor {
  userId: string;
  /** Null where no session asks: a link in a mail, or work of ours. */
  sessionHash: string | null;
}

/**
 * Locks the user's row and then the session's: until the transaction ends, the session is not ended. What a
 * request writes that has waited, for a chat, a bank or a file to be read, is written under this lock,
 * because its session may have ended meanwhile. Throws Not_Signed_In, and User_Not_Found for an account
 * that was deleted.
 */
export async function lockActor(
  transaction: Transaction<Schema>,
  { userId, sessionHash }: Actor,
): Promise<LockedUser> {
  const user = await lockExistingUser(transaction, userId);
  if (sessionHash === null) return user;
  const session = await transaction
    .selectFrom('sessions')
    .select('token_hash')
    .where('token_hash', '=', sessionHash)
    .where('user_id', '=', userId)
    .forKeyShare()
    .executeTakeFirst();
  if (!session) throw new ApiError(identityErrors.Not_Signed_In);
  return user;
}

export async function endSession(deps: Needed, token: string): Promise<void> {
  await deps.database.sql
    .deleteFrom('sessions')
    .where('token_hash', '=', sha256Hex(token))
    .execute();
}

/** The most recently used first. `token` is the session of the request. */
export async function listSessions(
  { database, clock }: Needed,
  userId: string,
  token: string,
): Promise<OpenSession[]> {
  const rows = await database.sql
    .selectFrom('sessions')
    .select(['id', 'device', 'created_at', 'last_used_at', 'token_hash'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', clock.now())
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    device: row.device,
    createDate: row.created_at.toISOString(),
    lastUseDate: row.last_used_at.toISOString(),
    current: row.token_hash === sha256Hex(token),
  }));
}

/** False when the user has no such session. */
export async function endSessionById(
  { database }: Pick<Platform, 'database'>,
  userId: string,
  id: string,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  const { numDeletedRows } = await database.sql
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function endOtherSessions(
  database: Kysely<Schema>,
  userId: string,
  keptToken: string | null,
): Promise<void> {
  await database
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('token_hash', '<>', keptToken === null ? '' : sha256Hex(keptToken))
    .execute();
}
