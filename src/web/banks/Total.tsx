import { Fragment } from 'react';
import type { BankAccount } from '../../shared/contract/banks.ts';
import { Amount } from '../money/Amount.tsx';
import { HidingButton } from '../money/HidingButton.tsx';
import { useNow } from '../time/clock.ts';
import { relativeDate } from '../time/relative.ts';
import styles from './Total.module.css';
import { totalsOf } from './totals.ts';

/** What the accounts hold together, as of when, and the button that hides every amount. */
export function Total({ accounts }: { accounts: BankAccount[] }) {
  const now = useNow();
  const totals = totalsOf(accounts);
  if (!totals) return null;
  const { sums, missing, oldest } = totals;
  return (
    <div className={styles.total}>
      <p className={styles.sums}>
        <span>Total{'\u202f'}: </span>
        {sums.map((sum, index) => (
          <Fragment key={sum.currency}>
            {index > 0 && ', '}
            <strong>
              <Amount {...sum} />
            </strong>
          </Fragment>
        ))}
      </p>
      <HidingButton />
      <p className={styles.age}>
        Solde le plus ancien{'\u202f'}: {oldest ? relativeDate(oldest, now) : 'date inconnue'}
        {missing > 0 && ', sans les soldes non communiqués'}
      </p>
    </div>
  );
}
