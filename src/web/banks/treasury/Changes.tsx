import type { ReactNode } from 'react';
import type { BankAccount } from '../../../shared/contract/banks.ts';
import { Change } from '../../money/Amount.tsx';
import { useAmountsHidden } from '../../money/hiding.ts';
import type { Histories } from '../totals.ts';
import { changeSince, lastDays, reasonWithoutChange, type TotalChange } from './past-totals.ts';
import styles from './Treasury.module.css';

interface ChangesProps {
  currency: string;
  accounts: BankAccount[];
  histories: Histories;
  now: Date;
}

/** Since the end of yesterday, and over seven days. */
export function Changes({ currency, accounts, histories, now }: ChangesProps) {
  const [yesterday = ''] = lastDays(2, now);
  const [weekAgo = ''] = lastDays(8, now);
  const day = changeSince(yesterday, currency, accounts, histories);
  const week = changeSince(weekAgo, currency, accounts, histories);
  return (
    <p className={styles.changes}>
      {day ? (
        <ChangePill {...{ change: day, currency }}>depuis hier</ChangePill>
      ) : (
        <span className={styles.pill}>
          {reasonWithoutChange(currency, accounts, histories, now)}
        </span>
      )}
      {week && (
        <span className="note">
          <Change amount={week.amount} currency={currency} /> sur 7 jours{ofAccounts(week)}
        </span>
      )}
    </p>
  );
}

interface ChangePillProps {
  change: TotalChange;
  currency: string;
  children: ReactNode;
}

function ChangePill({ change, currency, children }: ChangePillProps) {
  const hidden = useAmountsHidden();
  return (
    <span className={styles.pill} data-sign={hidden ? 0 : Math.sign(change.amount)}>
      <Change amount={change.amount} currency={currency} /> {children}
      {ofAccounts(change)}
    </span>
  );
}

/** A change of some accounts only must not pass for that of all. */
function ofAccounts({ compared, accounts }: TotalChange): string {
  return compared < accounts
    ? `, sur ${compared} ${compared > 1 ? 'comptes' : 'compte'} sur ${accounts}`
    : '';
}
