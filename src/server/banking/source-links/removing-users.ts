import type { BankUsers } from '../../providers/banks/port.ts';
import type { BankingDeps } from '../deps.ts';
import { knowsAnotherUser } from './known-users.ts';

type Needed = Pick<BankingDeps, 'database' | 'vault' | 'bankSources'>;

/**
 * Removes a user whose account is deleted from every source that keeps users. Throws the first failure
 * after all sources were tried. `known`: the ids by which the sources know the user, by source: one that
 * is not configured any more still has the user.
 */
export async function removeUserFromSources(
  deps: Needed,
  userId: string,
  known: Record<string, string>,
): Promise<void> {
  const withUsers = [...deps.bankSources].flatMap(([source, { users }]) => (users ? [source] : []));
  const removals = [...new Set([...withUsers, ...Object.keys(known)])].map((source) =>
    removeUser(deps, source, { userId, providerUserId: known[source] ?? null }),
  );
  for (const removal of await Promise.allSettled(removals)) {
    if (removal.status === 'rejected') throw removal.reason;
  }
}

/** Throws what the source throws, and where it is not configured any more: the queue tries again. */
export async function removeUser(
  deps: Needed,
  source: string,
  user: Parameters<BankUsers['remove']>[0],
): Promise<void> {
  const users = deps.bankSources.get(source)?.users;
  if (!users) throw new Error(`${source} is not configured any more`);
  const { wasThere } = await users.remove(user);
  if (wasThere || user.providerUserId === null) return;
  const link = { userId: user.userId, source };
  if ((await knowsAnotherUser(deps, link, users)) === false) {
    throw new Error(
      `${source} knows none of its users: its credentials may be those of another application`,
    );
  }
}
