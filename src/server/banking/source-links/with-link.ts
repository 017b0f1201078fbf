import type { Transaction } from 'kysely';
import { identityErrors } from '../../identity/errors.ts';
import { lockUser } from '../../identity/users/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { SourceLink } from '../../providers/banks/connect.ts';
import { BankSourceError } from '../../providers/banks/failures.ts';
import type { BankSource, BankUsers } from '../../providers/banks/port.ts';
import { listSourceIds } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrors } from '../errors.ts';
import { lateUserJobs } from '../jobs.ts';
import { emptyLinkOf, findLink, findReadableLink, saveLink } from './queries.ts';

type Needed = Pick<BankingDeps, 'database' | 'vault' | 'clock' | 'bankSources'>;
type NeededToRegister = Needed & Pick<BankingDeps, 'queue'>;

/**
 * Runs `act` with the user's existing link. Returns null when the source is not configured, or when the
 * user has no link with it: it is not called then.
 */
export async function withLink<Result>(
  deps: Needed,
  userId: string,
  source: string,
  act: (bankSource: BankSource, link: SourceLink) => Promise<Result>,
): Promise<Result | null> {
  const bankSource = deps.bankSources.get(source);
  const link = bankSource ? await openLink(deps, userId, source) : null;
  return bankSource && link ? await act(bankSource, link) : null;
}

/**
 * Runs `act` with the user's link, after registering the user at the source if it does not know them. One
 * of whom something is stored is not registered anew as long as no reading has found that it is gone: it
 * would be lost where the source has erred.
 */
export async function withNewLink<Result>(
  deps: NeededToRegister,
  userId: string,
  [source, bankSource]: readonly [string, BankSource],
  act: (link: SourceLink) => Promise<Result>,
): Promise<Result> {
  const known = await openLink(deps, userId, source);
  try {
    return await act(known ?? (await register(deps, userId, source, bankSource)));
  } catch (error) {
    if (!known || !isForgotten(error)) throw error;
    const stored = await listSourceIds(deps.database.sql, { userId, source });
    if (stored.length > 0) throw error;
    return act(await register(deps, userId, source, bankSource));
  }
}

async function register(
  deps: NeededToRegister,
  userId: string,
  source: string,
  { users }: BankSource,
): Promise<SourceLink> {
  if (users) await registerUser(deps, userId, source, users);
  const link = users
    ? await findReadableLink(deps, userId, source)
    : await emptyLinkOf(deps, userId);
  if (!link) throw new ApiError(identityErrors.User_Not_Found);
  return link;
}

/** Throws what the source throws, unless the account was deleted meanwhile. */
async function registerUser(
  deps: NeededToRegister,
  userId: string,
  source: string,
  users: BankUsers,
): Promise<void> {
  try {
    await keepUser(deps, userId, source, await users.register(userId));
  } catch (error) {
    // The answer may be all that was lost.
    const isDeleted = await inTransaction(deps.database.sql, (transaction) =>
      removeLaterIfDeleted(deps, transaction, userId, source, null),
    );
    if (!isDeleted) throw error;
  }
}

async function keepUser(
  deps: NeededToRegister,
  userId: string,
  source: string,
  providerUserId: string,
): Promise<void> {
  const isDeleted = await inTransaction(deps.database.sql, async (transaction) => {
    if (await removeLaterIfDeleted(deps, transaction, userId, source, providerUserId)) return true;
    const given = { provider_user_id: providerUserId };
    await saveLink(transaction, userId, source, given, deps.clock.now());
    return false;
  });
  if (isDeleted) deps.queue.announce(lateUserJobs);
}

/** A request whose answer is lost has reached the source by then, if it ever does. */
const lostAnswerSeconds = 60;

/**
 * Whether the account is deleted, which is held for the transaction. Its deletion may have asked the
 * source before the user was registered there: a job has the user removed.
 */
async function removeLaterIfDeleted(
  { clock, queue }: NeededToRegister,
  transaction: Transaction<Schema>,
  userId: string,
  source: string,
  providerUserId: string | null,
): Promise<boolean> {
  if (await lockUser(transaction, userId)) return false;
  const data = { userId, source, providerUserId, since: clock.now().getTime() };
  const wait = providerUserId === null ? { startAfterSeconds: lostAnswerSeconds } : {};
  await queue.insert(transaction, lateUserJobs, [{ data, ...wait }]);
  return true;
}

/** Throws Bank_Credentials_Refused where no configured secret opens the person's credentials. */
async function openLink(deps: Needed, userId: string, source: string): Promise<SourceLink | null> {
  const link = await findLink(deps, userId, source);
  if (link === 'unreadable') throw new ApiError(bankingErrors.Bank_Credentials_Refused);
  return link;
}

/** Whether the source said that it does not know the user. */
export function isForgotten(error: unknown): boolean {
  return error instanceof BankSourceError && error.kind === 'unknown-user';
}
