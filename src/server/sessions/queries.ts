import type { Parts } from '../parts.ts';
import { hashOf, newToken } from './token.ts';

type SessionParts = Pick<Parts, 'database' | 'clock'>;

const hour = 3_600_000;
const lifetime = 30 * 24 * hour;

/** Starts a session and returns its token, which exists nowhere else. Clears out expired ones. */
export async function startSession(
  parts: SessionParts & Pick<Parts, 'randomness'>,
  ownerId: string,
  device: string | null,
): Promise<string> {
  const now = parts.clock.now();
  const token = newToken(parts.randomness);
  await parts.database.sql.deleteFrom('sessions').where('expires_at', '<=', now).execute();
  await parts.database.sql
    .insertInto('sessions')
    .values({
      token_hash: hashOf(token),
      user_id: ownerId,
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + lifetime),
      device,
    })
    .execute();
  return token;
}

export interface FoundSession {
  userId: string;
  /** False when the account was deleted while the session was open. */
  userExists: boolean;
}

/** Null for an unknown or expired token. A session in use lives on: 30 days from its last hour. */
export async function findSession(
  parts: SessionParts,
  token: string,
): Promise<FoundSession | null> {
  const now = parts.clock.now();
  const tokenHash = hashOf(token);
  const row = await parts.database.sql
    .selectFrom('sessions')
    .leftJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.user_id', 'sessions.last_used_at', 'users.id as known_user_id'])
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst();
  if (!row) return null;
  if (now.getTime() - row.last_used_at.getTime() > hour) await prolong(parts, tokenHash, now);
  return { userId: row.user_id, userExists: row.known_user_id !== null };
}

export async function endSession(parts: SessionParts, token: string): Promise<void> {
  await parts.database.sql.deleteFrom('sessions').where('token_hash', '=', hashOf(token)).execute();
}

/** At most once an hour and session, so that reading stays reading. */
async function prolong(parts: SessionParts, tokenHash: string, now: Date): Promise<void> {
  await parts.database.sql
    .updateTable('sessions')
    .set({ last_used_at: now, expires_at: new Date(now.getTime() + lifetime) })
    .where('token_hash', '=', tokenHash)
    .execute();
}
