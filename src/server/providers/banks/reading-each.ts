import type { ConnectionState } from '../../../shared/banks/states.ts';
import { BankSourceError } from './failures.ts';
import type { BankReading, BankTransaction, TransactionsOfAccounts } from './port.ts';

/** What the reading of one access came to. */
export interface AccessResult<Access, Part> {
  access: Access;
  result: Part | BankSourceError;
}

/**
 * Reads each access of a person by itself, all at once: the failure of one leaves the others alone. When
 * none could be read, the reading has failed: it throws then.
 */
export async function readEach<Access, Part>(
  accesses: Access[],
  read: (access: Access) => Promise<Part>,
): Promise<AccessResult<Access, Part>[]> {
  const results = await Promise.all(
    accesses.map(async (access): Promise<AccessResult<Access, Part>> => {
      try {
        return { access, result: await read(access) };
      } catch (error) {
        if (!(error instanceof BankSourceError)) throw error;
        return { access, result: error };
      }
    }),
  );
  const failures = results.flatMap(({ result }) =>
    result instanceof BankSourceError ? [result] : [],
  );
  const [failure] = failures;
  if (failure && failures.length === results.length) {
    throw failures.find(({ kind }) => kind !== 'credentials') ?? failure;
  }
  return results;
}

/**
 * The transactions of these accounts, each through the first access that lists it. An access that fails
 * leaves those of the others alone. When none could be read, the failure of the first is thrown.
 */
export async function readTransactionsOfEach<Access>(
  accesses: Access[],
  accountIds: string[],
  listAccounts: (access: Access) => Promise<{ id: string }[]>,
  read: (access: Access, accountId: string) => Promise<BankTransaction[]>,
): Promise<TransactionsOfAccounts> {
  const unread = new Set(accountIds);
  const transactions: BankTransaction[] = [];
  let failure: BankSourceError | null = null;
  for (const access of accesses) {
    try {
      for (const { id } of await listAccounts(access)) {
        if (!unread.has(id)) continue;
        transactions.push(...(await read(access, id)));
        unread.delete(id);
      }
    } catch (error) {
      if (!(error instanceof BankSourceError)) throw error;
      failure ??= error;
    }
  }
  if (failure && unread.size === accountIds.length) throw failure;
  return { transactions, unread: [...unread] };
}

/**
 * Stored connections that none of the person's accesses opens, as after the key that sealed these was
 * lost: nothing says that they are gone, so they stay until their own access is given again.
 */
export function connectionsWithoutAccess(
  known: string[],
  isOpened: (connectionId: string) => boolean,
): NonNullable<BankReading['unread']> {
  return known.filter((id) => !isOpened(id)).map((id) => ({ id, state: 'credentials' }));
}

/** The state of a connection whose own reading failed, where others did not. */
export function stateOfError({ kind }: BankSourceError): ConnectionState {
  if (kind === 'credentials') return 'credentials';
  return kind === 'limited' ? 'limited' : 'unreachable';
}
