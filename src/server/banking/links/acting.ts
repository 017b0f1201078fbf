import { identityErrors } from '../../identity/errors.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { type BankLink, type BankSource, BankSourceError } from '../../providers/banks/port.ts';
import type { BankingDeps } from '../deps.ts';
import { findLink, findUnlinked, saveProviderUser } from './queries.ts';

type Needed = Pick<BankingDeps, 'database' | 'vault' | 'clock' | 'banks'>;

/**
 * For what exists already: `nothing` when the source is not configured, or knows nothing of the user;
 * a user without a link is not asked about.
 */
export async function withLink<Result>(
  deps: Needed,
  ownerId: string,
  kind: string,
  nothing: Result,
  act: (source: BankSource, link: BankLink) => Promise<Result>,
): Promise<Result> {
  const source = deps.banks.get(kind);
  const link = source ? await findLink(deps, ownerId, kind) : null;
  if (!source || !link) return nothing;
  try {
    return await act(source, link);
  } catch (error) {
    if (isForgotten(error)) return nothing;
    throw error;
  }
}

/** For what is new: registers the user there at the first need, and again when the source forgot. */
export async function withNewLink<Result>(
  deps: Needed,
  ownerId: string,
  [kind, source]: readonly [string, BankSource],
  act: (link: BankLink) => Promise<Result>,
): Promise<Result> {
  const known = await findLink(deps, ownerId, kind);
  try {
    return await act(known ?? (await register(deps, ownerId, kind, source)));
  } catch (error) {
    if (!known || !isForgotten(error)) throw error;
    return act(await register(deps, ownerId, kind, source));
  }
}

async function register(
  deps: Needed,
  ownerId: string,
  kind: string,
  { users }: BankSource,
): Promise<BankLink> {
  if (users) await saveProviderUser(deps, ownerId, kind, await users.register(ownerId));
  const link = users ? await findLink(deps, ownerId, kind) : await findUnlinked(deps, ownerId);
  if (!link) throw new ApiError(identityErrors.User_Not_Found);
  return link;
}

function isForgotten(error: unknown): boolean {
  return error instanceof BankSourceError && error.kind === 'unknown-user';
}

/**
 * Removes a user whose account is deleted from every source that keeps users; one that
 * fails keeps no other from doing it. `known`: the sources' own ids of him, where there are any.
 */
export async function removeFromSources(
  { banks }: Pick<BankingDeps, 'banks'>,
  userId: string,
  known: Record<string, string>,
): Promise<void> {
  const removals = [...banks].map(([kind, { users }]) =>
    users?.remove({ userId, providerUserId: known[kind] ?? null }),
  );
  for (const removal of await Promise.allSettled(removals)) {
    if (removal.status === 'rejected') throw removal.reason;
  }
}
