import type { Kysely } from 'kysely';
import { readStates } from '../../../shared/banks/states.ts';
import { distinctAccounts } from '../../../shared/message/duplicates.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { isAutomaticSource } from '../../providers/banks/automatic-sources.ts';
import type { NotificationsDeps } from '../deps.ts';
import { type Figures, figuresOf } from '../messages/figures.ts';
import type { AccountGroups, Figure } from './crossings.ts';

/** All checking accounts of a user that are listed, with whether a notification covers them. */
export type AlertAccounts = (Figures['accounts'][number] & {
  /** New figures of it come by themselves: its source is read, and its connection needs no action. */
  isReadAutomatically: boolean;
})[];

/** Those of the user, for each of these notifications. */
export async function readAlertAccounts(
  database: Kysely<Schema>,
  bankSources: NotificationsDeps['bankSources'],
  { userId, messengerIds }: { userId: string; messengerIds: string[] },
): Promise<(messengerId: string) => AlertAccounts> {
  const keys = [...new Set(messengerIds)].map((messengerId) => ({ userId, messengerId }));
  const figures = await figuresOf(database, keys);
  return (messengerId) => {
    const { connections, accounts } = figures(messengerId);
    const automatic = connections.filter(
      ({ source, state }) =>
        isAutomaticSource(bankSources.get(source)) && readStates.includes(state),
    );
    const automaticIds = new Set(automatic.map(({ id }) => id));
    return accounts.map((account) => ({
      ...account,
      isReadAutomatically: automaticIds.has(account.connectionId),
    }));
  };
}

/** An account of the owner, as a notification covers it. */
export type SourcedAccount = AlertAccounts[number] & {
  source: string;
  /** False while its bank does not list it as a checking account. */
  isListed: boolean;
};

/** The checking accounts of the owner that are listed, then all others that are known. */
export async function accountsFor(
  database: Kysely<Schema>,
  { bankSources }: Pick<NotificationsDeps, 'bankSources'>,
  { userId, messengerId }: { userId: string; messengerId: string },
): Promise<SourcedAccount[]> {
  const ofMessengers = { userId, messengerIds: [messengerId] };
  const accounts = (await readAlertAccounts(database, bankSources, ofMessengers))(messengerId);
  const rows = await database
    .selectFrom('bank_accounts')
    .select(['id', 'connection_id', 'source', 'name', 'bank_name', 'currency'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  const rest = new Map(rows.map((row) => [row.id, row]));
  const listed = accounts.map((account) => {
    const source = rest.get(account.id)?.source ?? '';
    rest.delete(account.id);
    return { ...account, source, isListed: true };
  });
  const hidden = [...rest.values()].map(({ connection_id: connectionId, bank_name, ...row }) => ({
    ...{ ...row, connectionId, bank: { name: bank_name } },
    ...{ balanceMinor: null, updatedAt: null, covered: false, isListed: false },
    isReadAutomatically: false,
  }));
  return [...listed, ...hidden];
}

export function storedFigures(
  accounts: AlertAccounts,
  currency: string,
  now: Date,
): Map<number, Figure> {
  return new Map(
    accounts.flatMap((account) => {
      const { id, balanceMinor: minor, updatedAt } = account;
      if (minor === null || account.currency !== currency) return [];
      const asOf = updatedAt && Math.min(updatedAt.getTime(), now.getTime());
      return [[id, { minor, asOf }] as const];
    }),
  );
}

/**
 * The account, or the accounts of the total: those that the notification covers in its currency, each
 * once, as a message counts them. First of the numbers of one account is one whose figures come by
 * themselves: its source tells the movements.
 */
export function accountGroupsOf(
  accountId: number | null,
  accounts: AlertAccounts,
  currency: string,
): AccountGroups {
  if (accountId !== null) return [[accountId]];
  const own = accounts.filter((account) => account.currency === currency);
  const automatic = new Set(
    own.filter(({ isReadAutomatically }) => isReadAutomatically).map(({ id }) => id),
  );
  return distinctAccounts(own).map(({ account, duplicates }) =>
    [account, ...duplicates]
      .map(({ id }) => id)
      .sort(
        (one, other) => Number(automatic.has(other)) - Number(automatic.has(one)) || one - other,
      ),
  );
}
