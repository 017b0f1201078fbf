import type { AlertList, Alert as PresentedAlert } from '../../../shared/contract/alerts.ts';
import { bankNameOf, nameOf } from '../../../shared/message/names.ts';
import { fromMinor } from '../../../shared/money/minor-units.ts';
import { isAutomaticSource } from '../../providers/banks/automatic-sources.ts';
import type { NotificationsDeps } from '../deps.ts';
import { accountGroupsOf, type SourcedAccount } from './alert-accounts.ts';
import { rearmedAt } from './crossings.ts';
import { type AlertRow, ruleOf } from './queries.ts';

/** How many alerts a notification may have. */
export const maxAlerts = 20;

type BankSources = Pick<NotificationsDeps, 'bankSources'>;

/** What a page about the alerts of one notification needs. `accounts` are all of the owner's. */
export function presentList(
  { bankSources }: BankSources,
  rows: AlertRow[],
  accounts: SourcedAccount[],
): AlertList {
  const watchable = accounts.filter(
    ({ source, isListed }) => isListed && isAutomaticSource(bankSources.get(source)),
  );
  const currencies = watchable.filter(({ covered }) => covered).map(({ currency }) => currency);
  return {
    alerts: rows.map((row) => presentAlert({ bankSources }, row, accounts)),
    most: maxAlerts,
    accounts: watchable.map(presentAccount),
    currencies: [...new Set(currencies)],
  };
}

export function presentAlert(
  { bankSources }: BankSources,
  row: AlertRow,
  accounts: SourcedAccount[],
): PresentedAlert {
  const rule = ruleOf(row);
  const { kind, currency, accountId } = rule;
  const account = accounts.find(({ id }) => id === accountId);
  return {
    id: row.id,
    kind,
    account: account ? presentAccount(account) : null,
    currency_code: currency,
    amount: fromMinor(rule.amountMinor, currency),
    state: account?.isListed === false ? 'unlisted' : stateOf(row),
    rearmed: kind === 'below' ? fromMinor(Math.ceil(rearmedAt(rule)), currency) : null,
    crossedDate: row.crossed_at?.toISOString() ?? null,
    readEveryMinutes: readEvery({ bankSources }, accountId, accounts, currency),
  };
}

function presentAccount(account: Pick<SourcedAccount, 'id' | 'name' | 'bank' | 'currency'>) {
  const { id, currency: currency_code } = account;
  return { id, name: nameOf(account), bank: { name: bankNameOf(account) }, currency_code };
}

function stateOf({ kind, armed }: AlertRow): PresentedAlert['state'] {
  if (kind === 'movement') return 'armed';
  if (armed === null) return 'waiting';
  return armed ? 'armed' : 'crossed';
}

/** By the source that is read least often. Of a total, accounts that are never read do not count. */
function readEvery(
  { bankSources }: BankSources,
  accountId: number | null,
  accounts: SourcedAccount[],
  currency: string,
): number | null {
  const members = new Set(accountGroupsOf(accountId, accounts, currency).flat());
  const sources = accounts.filter(({ id }) => members.has(id)).map(({ source }) => source);
  const periods = [...new Set(sources)]
    .map((source) => bankSources.get(source))
    .filter((source) => isAutomaticSource(source))
    .map((source) => source?.policy.forAlerts?.everyMs ?? Number.POSITIVE_INFINITY);
  const longest = Math.max(0, ...periods);
  return longest > 0 && Number.isFinite(longest) ? Math.round(longest / 60_000) : null;
}
