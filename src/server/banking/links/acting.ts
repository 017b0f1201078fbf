import { identityErrors } from '../../identity/errors.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { BankProviderError, type BankUser } from '../../providers/banks/port.ts';
import type { BankingDeps } from '../deps.ts';
import { findBankUser, saveBankUser } from './queries.ts';

type Needed = Pick<BankingDeps, 'database' | 'clock' | 'bank'>;

/** For reading: a user who never needed the provider has nothing there, and it is not asked. */
export async function readAsBankUser<Result>(
  deps: Needed,
  ownerId: string,
  nothing: Result,
  read: (user: BankUser) => Promise<Result>,
): Promise<Result> {
  const user = await findBankUser(deps, ownerId);
  if (!user) return nothing;
  try {
    return await read(user);
  } catch (error) {
    if (isForgotten(error)) return nothing;
    throw error;
  }
}

/** For doing: registers the user there at the first need, and again when the provider forgot. */
export async function actAsBankUser<Result>(
  deps: Needed,
  ownerId: string,
  act: (user: BankUser) => Promise<Result>,
): Promise<Result> {
  const known = await findBankUser(deps, ownerId);
  try {
    return await act(known ?? (await register(deps, ownerId)));
  } catch (error) {
    if (!known || !isForgotten(error)) throw error;
    return act(await register(deps, ownerId));
  }
}

async function register(deps: Needed, ownerId: string): Promise<BankUser> {
  await saveBankUser(deps, ownerId, await deps.bank.registerUser(ownerId));
  const user = await findBankUser(deps, ownerId);
  if (!user) throw new ApiError(identityErrors.User_Not_Found);
  return user;
}

function isForgotten(error: unknown): boolean {
  return error instanceof BankProviderError && error.kind === 'unknown-user';
}
