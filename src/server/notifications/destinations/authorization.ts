import { createHash } from 'node:crypto';
import type { Platform } from '../../platform/platform.ts';
import { VaultError } from '../../platform/vault/vault.ts';
import type { ChatKind } from '../../providers/chats/port.ts';

type Needed = Pick<Platform, 'database' | 'vault' | 'clock' | 'randomness'>;

const lifetimeMs = 10 * 60 * 1000;
/** Kept from an earlier name of the table: states under way at a new version still open. */
const additionalData = 'workspace_authorizations/state';

/** A state to send along to a chat's page: sealed by us, tied to its user, good once, for ten minutes. */
export async function createState(deps: Needed, ownerId: string, chat: ChatKind): Promise<string> {
  const nonce = deps.randomness.bytes(18).toString('base64url');
  const state = deps.vault.seal(`${ownerId} ${nonce}`, additionalData);
  await deps.database.sql
    .insertInto('destination_authorizations')
    .values({
      state_hash: hashOf(state),
      user_id: ownerId,
      chat,
      expires_at: new Date(deps.clock.now().getTime() + lifetimeMs),
    })
    .execute();
  return state;
}

/** The user it was given to, and its end: null when it is forged, unknown, used or too old. */
export async function redeemState(
  deps: Needed,
  state: string,
  chat: ChatKind,
): Promise<string | null> {
  const ownerId = readOwner(deps, state);
  if (!ownerId) return null;
  const row = await deps.database.sql
    .deleteFrom('destination_authorizations')
    .where('state_hash', '=', hashOf(state))
    .where('chat', '=', chat)
    .returning(['user_id', 'expires_at'])
    .executeTakeFirst();
  if (row?.user_id !== ownerId || row.expires_at <= deps.clock.now()) return null;
  return ownerId;
}

function readOwner({ vault }: Needed, state: string): string | null {
  try {
    return vault.open(state, additionalData).split(' ')[0] ?? null;
  } catch (error) {
    if (error instanceof VaultError) return null;
    throw error;
  }
}

function hashOf(state: string): string {
  return createHash('sha256').update(state).digest('hex');
}
