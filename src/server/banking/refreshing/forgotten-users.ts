import type { SourceLink } from '../../providers/banks/connect.ts';
import type { BankSource } from '../../providers/banks/port.ts';
import { confirmedAfterMs } from '../connections/missing.ts';
import type { BankingDeps } from '../deps.ts';
import { isKnown, knowsAnotherUser } from '../source-links/known-users.ts';
import type { LinkKey } from '../source-links/queries.ts';
import { type Lease, noteUnknownUser } from './queries.ts';

/**
 * After `unknown-user`: whether what the user has at the source is to be erased, which cannot be undone.
 * Only where the source says it in another way too, where a reading an hour before was told the same, and
 * where the source knows another user of this installation: with the credentials of another application
 * it knows none. Until then everything stays as it was read last.
 */
export async function isUserGone(
  deps: Pick<BankingDeps, 'database' | 'vault' | 'clock' | 'log'>,
  lease: Lease,
  { key, bankSource: { users }, link }: { key: LinkKey; bankSource: BankSource; link: SourceLink },
): Promise<boolean> {
  if (!users || (await isKnown(users, link)) !== false) return false;
  const now = deps.clock.now();
  const since = await noteUnknownUser(deps, key, lease, now);
  if (since === null || now.getTime() - since.getTime() < confirmedAfterMs) return false;
  if (await knowsAnotherUser(deps, key, users)) return true;
  deps.log.error(
    key,
    'nothing is erased of a forgotten user: the bank service knows none of its users, its credentials may be those of another application',
  );
  return false;
}
