import { useState } from 'react';
import type { BankAccount, DailyBalance } from '../../shared/contract/banks.ts';
import { chunk } from '../application/chunks.ts';
import { PartBoundary } from '../application/PartBoundary.tsx';
import { SPARK, sparkPath } from './spark-path.ts';
import styles from './Trend.module.css';

const history = chunk(async () => (await import('./BalanceHistory.tsx')).BalanceHistory);

interface TrendProps {
  account: BankAccount;
  /** Of the last 30 days. */
  balances: DailyBalance[];
}

/** A small line of the last 30 days: the button that opens 90 of them with their values. */
export function Trend({ account, balances }: TrendProps) {
  const [open, setOpen] = useState(false);
  if (balances.length === 0) return null;
  return (
    <>
      <button
        type="button"
        className={styles.trend}
        title="Historique"
        aria-label={`Historique de ${account.name}`}
        aria-expanded={open}
        onPointerEnter={history.prepare}
        onFocus={history.prepare}
        onClick={() => setOpen(!open)}
      >
        <svg viewBox={`0 0 ${SPARK.width} ${SPARK.height}`} aria-hidden="true">
          <path d={sparkPath(balances)} />
        </svg>
      </button>
      {open && (
        <div className={styles.history}>
          <PartBoundary onFailure={() => setOpen(false)} waiting={<p role="status">Chargement…</p>}>
            <history.Part account={account} />
          </PartBoundary>
        </div>
      )}
    </>
  );
}
