import type { SourceLink } from '../../providers/banks/connect.ts';
import type { BankUsers } from '../../providers/banks/port.ts';
import type { BankingDeps } from '../deps.ts';
import { findReadableLink, type LinkKey, listReadUsers } from './queries.ts';

/** Each costs a call. */
const maxAsked = 3;

/**
 * Whether a source knows another user of this installation: with the credentials of another application it
 * knows none. Null where there is no other whom it has known before.
 */
export async function knowsAnotherUser(
  deps: Pick<BankingDeps, 'database' | 'vault'>,
  key: LinkKey,
  users: BankUsers,
): Promise<boolean | null> {
  const others = await listReadUsers(deps, key, maxAsked);
  for (const other of others) {
    const link = await findReadableLink(deps, other, key.source);
    if (link && (await isKnown(users, link))) return true;
  }
  return others.length > 0 ? false : null;
}

/** Null without a clear answer. */
export async function isKnown(users: BankUsers, link: SourceLink): Promise<boolean | null> {
  return await users.isUserGone(link).then(
    (isGone) => !isGone,
    () => null,
  );
}
