import type { BankAccount, BankItem } from '../../../shared/contract/banks.ts';
import { fromMinor } from '../../../shared/money/minor-units.ts';
import { endingNotice, noticeOf } from '../../providers/banks/notices.ts';
import type { BankSource } from '../../providers/banks/port.ts';
import type { BankingDeps } from '../deps.ts';
import type { LinkKey } from '../source-links/queries.ts';
import { currentState } from './current-state.ts';
import { listConnections, type StoredAccount, type StoredConnection } from './queries.ts';
import { statusNumbers } from './store.ts';

export function presentItem(
  { bankSources }: Pick<BankingDeps, 'bankSources'>,
  row: StoredConnection,
  now: Date,
): BankItem {
  const bankSource = bankSources.get(row.source);
  const condition = presentCondition(bankSource, row, now);
  const ending = endingNotice(row.authentication_expires_at, now);
  return {
    id: row.id,
    ...condition,
    ...(ending &&
      condition.state !== 'ok' &&
      condition.state !== 'renew' && { endingNotice: ending }),
    form: isEditedByForm(bankSource, row) ? row.source : null,
    ...(bankSource?.refreshNow && { can_refresh: true }),
    ...(bankSource?.removalNote && { removal_note: bankSource.removalNote }),
    status_description: row.status_description,
    bank: { id: row.bank_id, name: row.bank_name },
    last_successful_refresh: row.last_successful_refresh?.toISOString() ?? null,
    authentication_expires_at: row.authentication_expires_at?.toISOString() ?? null,
  };
}

/** A person's connections of one source. */
export async function presentItemsOf(
  deps: Pick<BankingDeps, 'database' | 'clock' | 'bankSources'>,
  { userId, source }: LinkKey,
): Promise<BankItem[]> {
  const connections = await listConnections(deps, userId);
  const ofSource = connections.filter((one) => one.source === source);
  return ofSource.map((row) => presentItem(deps, row, deps.clock.now()));
}

/** Connections with the number of their accounts that are neither shown nor counted. */
export function presentItems(
  deps: Pick<BankingDeps, 'bankSources'>,
  rows: StoredConnection[],
  accounts: StoredAccount[],
  now: Date,
): BankItem[] {
  const others = accounts.filter(({ type }) => type !== 'checking');
  return rows.map((row) => {
    const count = others.filter((account) => account.connection_id === row.id).length;
    return { ...presentItem(deps, row, now), ...(count > 0 && { other_accounts: count }) };
  });
}

/** A source with pages of its own has a form too, where its credentials are the person's. */
function isEditedByForm(bankSource: BankSource | undefined, { state }: StoredConnection): boolean {
  if (bankSource?.connect.kind !== 'redirect') return true;
  return state === 'credentials' && bankSource.connect.access !== undefined;
}

/**
 * Accounts joined with their connections for the state, narrowed to `types` when any are named. An
 * account whose connection went away between the two reads is left out with it.
 */
export function presentAccounts(
  { bankSources }: Pick<BankingDeps, 'bankSources'>,
  accounts: StoredAccount[],
  connections: StoredConnection[],
  types: string[],
  now: Date,
): BankAccount[] {
  const conditions = new Map(
    connections.map((one) => [one.id, presentCondition(bankSources.get(one.source), one, now)]),
  );
  return accounts.flatMap((account) => {
    const condition = conditions.get(account.connection_id);
    const isAsked = types.length === 0 || types.includes(account.type);
    return condition && isAsked ? [{ ...presentAccount(account), ...condition }] : [];
  });
}

type Condition = Pick<BankItem, 'status' | 'state' | 'notice'>;

function presentCondition(bankSource: BankSource | undefined, row: StoredConnection, now: Date) {
  const { status_description: description, authentication_expires_at: end } = row;
  const state = currentState(bankSource, { state: row.state, consentEndsAt: end }, now);
  const status = state === row.state ? row.status : statusNumbers[state];
  const notice =
    noticeOf({ state, description }) ?? (state === 'ok' ? endingNotice(end, now) : null);
  return { status, state, notice } satisfies Condition;
}

/** An account without the state of its connection. */
export function presentAccount(row: StoredAccount): Omit<BankAccount, keyof Condition> {
  return {
    id: row.id,
    item: { id: row.connection_id },
    bank: { id: row.bank_id, name: row.bank_name },
    name: row.name,
    type: row.type,
    balance: row.balance_minor === null ? null : fromMinor(row.balance_minor, row.currency),
    currency_code: row.currency,
    updated_at: row.updated_at?.toISOString() ?? null,
    ...(row.iban_print !== null && { iban_print: row.iban_print }),
  };
}
