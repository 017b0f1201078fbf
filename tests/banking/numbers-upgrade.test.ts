import { sql } from 'kysely';
import { expect, it } from 'vitest';
import {
  fileAccountId,
  numberFingerprint,
} from '../../src/server/banking/connections/fingerprints.ts';
import { listAccounts } from '../../src/server/banking/connections/queries.ts';
import { findNumbered } from '../../src/server/banking/statements/matching.ts';
import { addStatements } from '../../src/server/banking/statements/store.ts';
import { migrate, migrateTo } from '../../src/server/platform/database/migrate.ts';
import type { StatementAccount } from '../../src/server/providers/banks/connect.ts';
import { startApplication } from '../support/application.ts';
import { engines, startDatabases } from '../support/engines.ts';

const ana = '11111111-1111-4111-8111-111111111111';
const startedAt = new Date('2026-11-21T08:00:00Z');
const [iban, bare, third] = ['DE89370400440532013000', '0532013000', '370400440532013000'];

it.each(engines)(
  'both numbers of an account of before find it, and a third beside them, on %s',
  async (engine) => {
    const databases = await startDatabases(engine);
    const database = await databases.openEmpty();
    await migrateTo(database, '0023-failures-of-deliveries');
    const id = fileAccountId(ana, iban);
    for (const statement of [
      sql`insert into users (id, email, email_key, password_hash, firstname, lastname,
          terms_accepted_at, created_at) values (${ana}, 'ana@exemple.fr', 'ana@exemple.fr', '', 'Ana',
          'Durand', now(), now())`,
      sql`insert into bank_connections (user_id, source, id, source_id, bank_id, bank_name, state,
          status, seen_at) values (${ana}, 'files', 1, 'commerz', 1, 'Commerz', 'ok', 0, now())`,
      sql`insert into bank_accounts (user_id, source, id, source_id, connection_id, bank_id,
          bank_name, name, type, currency, balance_minor, updated_at, first_seen_at, print)
        values (${ana}, 'files', 1, ${id}, 1, 1, 'Commerz', 'Giro', 'checking', 'EUR', 100, now(),
          now(), ${numberFingerprint(ana, bare)})`,
    ])
      await statement.execute(database.sql);
    await migrate(database);
    const app = await startApplication({ database });
    const account = (number: string): StatementAccount => ({
      ...{ number, name: null, bankName: null, type: 'checking', currency: 'EUR' },
      balances: [{ day: '2026-11-20', minor: 12_345 }],
    });
    const found = async () => {
      const known = await listAccounts({ database }, ana);
      return [iban, bare, third].map((one) => findNumbered(known, ana, account(one))?.name);
    };
    expect(await found()).toEqual(['Giro', 'Giro', undefined]);
    for (const number of [third, iban, third]) {
      const actor = { userId: ana, sessionHash: null };
      const given = { account: account(number), bank: 'Commerz', name: 'Giro', id };
      await addStatements(app.services, actor, { source: 'files', startedAt }, [given]);
      expect((await found()).slice(0, 2)).toEqual(['Giro', 'Giro']);
    }
    expect(await found()).toEqual(['Giro', 'Giro', 'Giro']);
    const [stored] = await listAccounts({ database }, ana);
    expect(stored?.other_prints).toHaveLength(2);
    await app.close();
    await databases.close();
  },
);
