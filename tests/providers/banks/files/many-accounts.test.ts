import { expect, test } from 'vitest';
import type { StoredAccount } from '../../../../src/server/banking/connections/queries.ts';
import { continuedAccount } from '../../../../src/server/banking/statements/continued-accounts.ts';
import type { StatementAccount } from '../../../../src/server/providers/banks/connect.ts';

const day = (name: string, minor: number) => ({ day: name, minor });
const balances = [day('2026-11-17', 101), day('2026-11-18', 202), day('2026-11-19', 303)];
const account: StatementAccount = {
  ...{ number: null, name: null, bankName: null, type: 'checking', currency: 'EUR', balances },
};
const stored = (id: number, difference: Partial<StoredAccount> = {}) =>
  ({
    ...{ id, source: 'files', source_id: `id ${id}`, connection_id: 1, currency: 'EUR' },
    ...{ bank_name: 'Banque', name: `Compte ${id}`, print: null, iban_print: null },
    ...difference,
  }) as StoredAccount;
const memory = { earlierNames: [], forgets: false, namesElsewhere: [], hasUnnamed: false };

/** What a file is where these of 260 accounts have its balances. */
async function found(like: number[], connectionId: number | null, at: number[] = []) {
  const known = Array.from({ length: 260 }, (_, index) =>
    stored(index + 1, { connection_id: at.includes(index + 1) ? 2 : 1 }),
  );
  let read = 0;
  const readBalances = async (asked: readonly StoredAccount[]) => {
    read += asked.length;
    return new Map(
      asked.map(({ id }) => [id, like.includes(id) ? balances : [day('2026-11-18', id * 1000)]]),
    );
  };
  const given = { userId: 'ana', source: 'files', known, account, memory, index: 0 };
  const edited = { ...given, isCounted: false, connectionId };
  const { account: one, isUncertain } = await continuedAccount(readBalances, edited);
  expect(read).toBeLessThanOrEqual(200);
  return { id: one?.id, isUncertain };
}

test('an account of more than are compared is proposed where it is of the bank that is edited', async () => {
  expect(await found([250], 2, [250])).toEqual({ id: 250, isUncertain: false });
});

test('one that another, which was not compared, may be as well is asked for', async () => {
  expect(await found([7, 250], null)).toEqual({ id: undefined, isUncertain: true });
});
