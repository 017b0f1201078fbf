import type { DailyBalance } from '../../shared/contract/banks.ts';
import { Amount } from '../money/Amount.tsx';
import styles from './BalanceHistory.module.css';
import { dayWords, givenWords } from './days.ts';

/** The same days as the chart, in words, the latest first. */
export function BalanceTable({ account, balances }: { account: string; balances: DailyBalance[] }) {
  return (
    <details>
      <summary>Voir les valeurs</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <section className={styles.rows} aria-label={`Soldes de ${account}`} tabIndex={0}>
        <table>
          <caption className="unseen">Soldes de {account}, jour par jour</caption>
          <thead>
            <tr>
              <th scope="col">Jour</th>
              <th scope="col">Solde</th>
              <th scope="col">Donné</th>
            </tr>
          </thead>
          <tbody>
            {balances.toReversed().map(({ day, balance, currency_code, as_of }) => (
              <tr key={day}>
                <th scope="row">{dayWords(day)}</th>
                <td>
                  <Amount balance={balance} currency={currency_code} />
                </td>
                <td>{givenWords(as_of)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
