import { useState } from 'react';
import type { BankAccount, DailyBalance } from '../../shared/contract/banks.ts';
import { Retry } from '../design/Retry.tsx';
import { Amount } from '../money/Amount.tsx';
import { BalanceChart } from './BalanceChart.tsx';
import styles from './BalanceHistory.module.css';
import { BalanceTable } from './BalanceTable.tsx';
import { dayWords, givenWords } from './days.ts';
import { useHistory } from './queries.ts';

/** The last 90 days of an account: drawn, each day at a hover or a key, and in a table. */
export function BalanceHistory({ account }: { account: BankAccount }) {
  const { data: balances, isError, isFetching, refetch } = useHistory(account.id);
  if (isError && !balances) {
    return (
      <Retry text="L'historique n'a pas pu être chargé." busy={isFetching} onRetry={refetch} />
    );
  }
  if (!balances) return <p role="status">Chargement…</p>;
  if (balances.length === 0) return <p>Aucun solde connu sur les 90 derniers jours.</p>;
  return (
    <div className={styles.history}>
      <Chart balances={balances} />
      <BalanceTable account={account.name} balances={balances} />
    </div>
  );
}

function Chart({ balances }: { balances: DailyBalance[] }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const index = Math.min(chosen ?? balances.length, balances.length - 1);
  const shown = balances[index];
  if (!shown) return null;
  return (
    <figure>
      <figcaption>
        <p>
          {dayWords(shown.day)}
          {'\u202f'}:{' '}
          <strong>
            <Amount balance={shown.balance} currency={shown.currency_code} />
          </strong>
        </p>
        <p className={styles.given}>Donné par la banque {givenWords(shown.as_of)}</p>
      </figcaption>
      <BalanceChart balances={balances} index={index} onChoose={setChosen} />
    </figure>
  );
}
