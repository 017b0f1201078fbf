import type { Platform } from '../../../src/server/platform/platform.ts';
import type { ConnectionState } from '../../../src/shared/banks/states.ts';
import { toMinor } from '../../../src/shared/money/minor-units.ts';

export interface StoredAccount {
  id: number;
  name: string;
  bank?: string;
  /** In euros. */
  balance?: number | null;
  type?: string;
  updatedAt?: string;
  state?: ConnectionState;
}

const banks = ['BNP Paribas', 'Crédit Agricole', 'CIC'];

/** What a reading of the banks left behind; said again, it replaces what stood. */
export async function storeAccounts(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  userId: string,
  accounts: StoredAccount[],
): Promise<void> {
  const now = clock.now();
  for (const account of accounts) {
    const { bank = 'BNP Paribas', balance = 0, type = 'checking', state = 'ok' } = account;
    const bankId = 1 + banks.indexOf(bank);
    const connection = {
      ...{ user_id: userId, source: 'bridge', id: bankId, source_id: String(bankId), state },
      ...{ bank_id: bankId, bank_name: bank, status: 0 },
    };
    await database.sql
      .insertInto('bank_connections')
      .values({ ...connection, status_description: null, seen_at: now })
      .onConflict((same) => same.columns(['user_id', 'id']).doUpdateSet({ state }))
      .execute();
    const balance_minor = balance === null ? null : toMinor(balance, 'EUR');
    const updated_at = account.updatedAt ? new Date(account.updatedAt) : now;
    await database.sql
      .insertInto('bank_accounts')
      .values({
        ...{ user_id: userId, id: account.id, source: 'bridge', source_id: String(account.id) },
        ...{ connection_id: bankId, bank_id: bankId, bank_name: bank },
        ...{ name: account.name, type, currency: 'EUR', balance_minor, updated_at },
        first_seen_at: now,
      })
      .onConflict((same) =>
        same.columns(['user_id', 'id']).doUpdateSet({ balance_minor, updated_at }),
      )
      .execute();
  }
}
