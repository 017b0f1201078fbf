import { createBankRefreshes } from '../../../src/server/banking/refreshing/refreshes.ts';
import { addAlert } from '../../../src/server/notifications/alerts/changes.ts';
import type { BankReading, BankSource } from '../../../src/server/providers/banks/port.ts';
import type { AlertRule } from '../../../src/shared/contract/alerts.ts';
import { scriptedSource } from '../../banking/scripted-source.ts';
import type { Fixture } from '../deliveries/fixture.ts';
import { actorOf, type SeededPerson } from '../deliveries/people.ts';

/** What an account holds at a reading, in euros, and when its bank gave it; now without `asOf`. */
export type ReportedBalance = number | { balance: number | null; asOf: string };

/** A person's accounts at a source that says what it is told to. */
export interface Watched {
  /** Reads the source, which then lists these accounts by name. */
  read(said: Record<string, ReportedBalance>): Promise<void>;
  /** Gives every account another id at the source from the next reading on. */
  renew(): void;
  /** The only source that there is, as the services know sources. */
  bankSources: ReadonlyMap<string, BankSource>;
  /** Our number of an account that was read. */
  accountId(name: string): Promise<number>;
  /** An alert of a notification, on an account by name or on the total. */
  alert(
    messengerId: string,
    rule: Pick<AlertRule, 'kind' | 'amount'> & { account?: string },
  ): Promise<string>;
}

export async function watch(fixture: Fixture, { userId }: SeededPerson): Promise<Watched> {
  const { database } = fixture.services;
  const { clock } = fixture;
  const link = { user_id: userId, source: 'script', created_at: clock.now() };
  await database.sql.insertInto('bank_links').values(link).execute();
  let generation = 0;
  let next: BankReading = { connections: [], accounts: [] };
  const source = scriptedSource({
    policy: { atPageLoad: true, beforeMessage: null, forAlerts: { everyMs: 3_600_000 } },
    read: async () => next,
  });
  const bankSources = new Map([['script', source]]);
  const refreshes = createBankRefreshes({ ...fixture.services, bankSources });
  const accountId = async (name: string) => {
    const { id } = await database.sql
      .selectFrom('bank_accounts')
      .select('id')
      .where('user_id', '=', userId)
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return id;
  };
  return {
    ...{ accountId, bankSources },
    renew() {
      generation += 1;
    },
    async read(said) {
      next = readingOf(said, clock.now(), generation);
      await refreshes.refresh(userId, 'script');
    },
    async alert(messengerId, { kind, amount, account }) {
      // They are listed, and told, in the order in which they were added.
      clock.advance({ seconds: 1 });
      const of = account === undefined ? null : await accountId(account);
      const rule = { kind, amount, account: of, currency_code: 'EUR' };
      const deps = { ...fixture.services, bankSources };
      return (await addAlert(deps, actorOf({ userId }), messengerId, rule)).id;
    },
  };
}

function readingOf(
  said: Record<string, ReportedBalance>,
  now: Date,
  generation: number,
): BankReading {
  const bank = { id: null, name: 'Banque du Littoral' };
  const told = { code: null, description: null, authenticationExpiresAt: null };
  return {
    connections: [{ id: 'one', state: 'ok', bank, lastSuccessfulRefresh: null, ...told }],
    accounts: Object.entries(said).map(([name, one]) => {
      const { balance, asOf } = typeof one === 'number' ? { balance: one, asOf: null } : one;
      return {
        ...{
          id: `${name} ${generation}`,
          number: `FR76 3000 2005 ${name}`,
          connectionId: 'one',
          name,
          type: 'checking',
          bank,
        },
        balance: {
          minor: balance === null ? null : Math.round(balance * 100),
          ...{ currency: 'EUR', kind: 'booked', asOf: asOf ? new Date(asOf) : now },
        },
      };
    }),
  };
}
