import type { User } from '../../shared/contract/users.ts';
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

/**
 * Undefined for an unknown or expired token; null when the account was deleted while the session was
 * open. A session in use lives on: 30 days from its last hour.
 */
export async function findSessionUser(
  parts: SessionParts,
  token: string,
): Promise<User | null | undefined> {
  const now = parts.clock.now();
  const tokenHash = hashOf(token);
  const row = await parts.database.remember(`session:${tokenHash}`, () => read(parts, tokenHash));
  if (!row || row.expires_at <= now) return undefined;
  if (now.getTime() - row.last_used_at.getTime() > hour) await prolong(parts, tokenHash, now);
  return row.user;
}

async function read({ database }: SessionParts, tokenHash: string) {
  const row = await database.sql
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
