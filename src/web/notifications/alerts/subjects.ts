import type {
  Alert,
  AlertKind,
  AlertList,
  AlertRule,
  WatchableAccount,
} from '../../../shared/contract/alerts.ts';

/** What can be watched. */
export type Subjects = Pick<AlertList, 'accounts' | 'currencies'>;

/** With what is watched: a bank may not list its account now, and no account may be in its currency. */
export function withOwn(list: Subjects, alert: Alert | undefined): Subjects {
  if (!alert) return list;
  const { accounts, currencies } = list;
  const { account, currency_code: currency } = alert;
  if (account) {
    return accounts.some(({ id }) => id === account.id)
      ? list
      : { ...list, accounts: [account, ...accounts] };
  }
  return currencies.includes(currency) ? list : { ...list, currencies: [...currencies, currency] };
}

/** The value of a choice that is no account: the total in a currency. */
export const totalIn = (currency: string) => `total ${currency}`;

export function subjectValue(alert: Alert | undefined): string | null {
  if (!alert) return null;
  return alert.account ? String(alert.account.id) : totalIn(alert.currency_code);
}

/** What was chosen may have left with its bank. */
export function isListed(subject: string, { accounts, currencies }: Subjects): boolean {
  return (
    accounts.some(({ id }) => String(id) === subject) ||
    currencies.some((currency) => totalIn(currency) === subject)
  );
}

/** An account: most people think of one. */
export function firstSubject({ accounts, currencies }: Subjects): string {
  const [account] = accounts;
  return account ? String(account.id) : totalIn(currencies[0] ?? 'EUR');
}

export function currencyOf(subject: string, accounts: WatchableAccount[]): string {
  const account = accounts.find(({ id }) => String(id) === subject);
  return account?.currency_code ?? (subject.split(' ')[1] || 'EUR');
}

export function ruleOf(
  kind: AlertKind,
  subject: string,
  currency: string,
  amount: number,
): AlertRule {
  const account = subject.startsWith('total ') ? null : Number(subject);
  return { kind, account, currency_code: currency, amount };
}
