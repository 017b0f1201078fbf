import type { BankAccount, DailyBalance } from '../../shared/contract/banks.ts';
import { Trend } from '../balances/Trend.tsx';
import { Amount } from '../money/Amount.tsx';
import { useNow } from '../time/clock.ts';
import { withFirst } from '../time/first-of-month.ts';
import { relativeDate } from '../time/relative.ts';
import styles from './Accounts.module.css';

interface AccountsProps {
  accounts: BankAccount[];
  /** Of the last 30 days, by account. */
  trends: Map<number, DailyBalance[]> | undefined;
  refreshing: boolean;
}

export function Accounts({ accounts, trends, refreshing }: AccountsProps) {
  if (accounts.length === 0) {
    return refreshing ? null : (
      <p className={styles.none}>Aucun compte courant visible pour cette banque.</p>
    );
  }
  return (
    <ul className={styles.accounts}>
      {accounts.map((account) => (
        <li key={account.id}>
          <p className={styles.line}>
            <span>
              {account.name}
              {'\u202f'}:{' '}
            </span>
            <strong>
              <Amount balance={account.balance} currency={account.currency_code} />
            </strong>
          </p>
          <UpdateLine updated={account.updated_at} />
          <Trend account={account} balances={trends?.get(account.id) ?? []} />
        </li>
      ))}
    </ul>
  );
}

function UpdateLine({ updated }: { updated: string | null }) {
  const now = useNow();
  const date = updated === null ? null : new Date(updated);
  return (
    <p className={styles.updated}>
      Dernière mise à jour{'\u202f'}:{' '}
      <time
        dateTime={updated ?? undefined}
        title={date ? withFirst(fullDate.format(date)) : undefined}
      >
        {relativeDate(date, now)}
      </time>
    </p>
  );
}

const fullDate = new Intl.DateTimeFormat('fr', { dateStyle: 'full', timeStyle: 'short' });
