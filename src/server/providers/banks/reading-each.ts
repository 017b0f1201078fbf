import type { ConnectionState } from '../../../shared/banks/states.ts';
import { BankSourceError, type BankTransaction } from './port.ts';

export interface End<Access, Part> {
  access: Access;
  end: Part | BankSourceError;
}

/**
 * Reads each access of a person by itself, all at once: the failure of one leaves the others alone. When
 * none could be read, the reading has failed: it throws then.
 */
export async function readEach<Access, Part>(
  accesses: Access[],
  read: (access: Access) => Promise<Part>,
): Promise<End<Access, Part>[]> {
  const ends = await Promise.all(
    accesses.map(async (access): Promise<End<Access, Part>> => {
      try {
        return { access, end: await read(access) };
      } catch (error) {
        if (!(error instanceof BankSourceError)) throw error;
        return { access, end: error };
      }
    }),
  );
  const failures = ends.flatMap(({ end }) => (end instanceof BankSourceError ? [end] : []));
  const [failure] = failures;
  if (failure && failures.length === ends.length) {
    throw failures.find(({ kind }) => kind !== 'credentials') ?? failure;
  }
  return ends;
}

/**
 * The transactions of these accounts, each through the first access that lists it. An access that fails
 * leaves those of the others alone: its failure is thrown when an account was found in none of them.
 */
export async function readTransactionsOfEach<Access>(
  accesses: Access[],
  accountIds: string[],
  listAccounts: (access: Access) => Promise<{ id: string }[]>,
  read: (access: Access, accountId: string) => Promise<BankTransaction[]>,
): Promise<BankTransaction[]> {
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
  if (failure && unread.size > 0) throw failure;
  return transactions;
}

/** What a connection is in after its own reading failed beside others. */
export function stateAfter({ kind }: BankSourceError): ConnectionState {
  if (kind === 'credentials') return 'credentials';
  return kind === 'limited' ? 'limited' : 'unreachable';
}
