import type { SourceLink } from '../../providers/banks/connect.ts';
import type { BankSource, BankUsers } from '../../providers/banks/port.ts';
import type { BankingDeps } from '../deps.ts';
import { findLink } from '../source-links/queries.ts';
import {
  confirmedAfterMs,
  type Lease,
  type LinkKey,
  listReadUsers,
  noteUnknownUser,
} from './queries.ts';

/** Each costs a call. */
const maxAsked = 3;

/**
 * After `unknown-user`: whether what the user has at the source is to be erased, which cannot be undone.
 * Only where the source says it in another way too, where a reading an hour before was told the same, and
 * where the source knows another user of this installation: with the credentials of another application
 * it knows none. Until then everything stays as it was read last.
 */
export async function isUserGone(
  deps: Pick<BankingDeps, 'database' | 'vault' | 'clock' | 'log'>,
  lease: Lease,
  { key, source: { users }, link }: { key: LinkKey; source: BankSource; link: SourceLink },
): Promise<boolean> {
  if (!users || (await isKnown(users, link)) !== false) return false;
  const now = deps.clock.now();
  const since = await noteUnknownUser(deps, key, lease, now);
  if (since === null || now.getTime() - since.getTime() < confirmedAfterMs) return false;
  for (const userId of await listReadUsers(deps, key, maxAsked)) {
    const other = await findLink(deps, userId, key.source);
    if (other && (await isKnown(users, other))) return true;
  }
  deps.log.error(
    key,
    'nothing is erased of a forgotten user: the bank service knows none of its users, its credentials may be those of another application',
  );
  return false;
}

/** Null without a clear answer. */
async function isKnown(users: BankUsers, link: SourceLink): Promise<boolean | null> {
  return await users.isUserGone(link).then(
    (isGone) => !isGone,
    () => null,
  );
}
