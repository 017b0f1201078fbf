import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BankAccount, DailyBalance } from '../../../shared/contract/banks.ts';
import { call } from '../../api/call.ts';
import { useLastKnown } from '../../api/last-known.ts';
import { QueryResult } from '../../api/QueryResult.tsx';
import { Balance } from '../../money/Amount.tsx';
import { longDay } from '../../time/calendar.ts';
import { momentWords } from '../../time/dates.ts';
import { bankKeys } from '../queries.ts';
import { BalanceChart } from './BalanceChart.tsx';
import styles from './BalanceHistory.module.css';

/** The last 90 days of an account: drawn, each day at a hover or a key, and in a table. */
export function BalanceHistory({ account }: { account: BankAccount }) {
  const query = useHistory(account.id);
  return (
    <div className={`stack ${styles.history}`}>
      <QueryResult
        query={query}
        failed="L'historique n'a pas pu être chargé."
        waiting={<p role="status">Chargement…</p>}
      >
        {(balances) =>
          balances.length === 0 ? (
            <p>Aucun solde connu sur les 90 derniers jours.</p>
          ) : (
            <>
              <Chart balances={balances} />
              <BalanceTable account={account.name} balances={balances} />
            </>
          )
        }
      </QueryResult>
    </div>
  );
}

/** Read again with each new reading of the bank, what is drawn staying until then, also when that fails. */
function useHistory(accountId: number) {
  const readAt = useQueryClient().getQueryState(bankKeys.data)?.dataUpdatedAt ?? 0;
  const query = useQuery({
    queryKey: ['balances', accountId, 'history', readAt],
    queryFn: ({ signal }) =>
      call<DailyBalance[]>('GET', `/bridge/accounts/${accountId}/balances?days=90`, { signal }),
  });
  return { ...query, data: useLastKnown(query.data) };
}

function Chart({ balances }: { balances: DailyBalance[] }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const index = Math.min(chosen ?? balances.length, balances.length - 1);
  const shown = balances[index];
  if (!shown) return null;
  return (
    <figure className="stack">
      <figcaption>
        <p>
          {longDay(shown.day)}
          {'\u202f'}:{' '}
          <strong>
            <Balance balance={shown.balance} currency={shown.currency_code} />
          </strong>
        </p>
        <p className="note">Donné {momentWords(shown.as_of)}</p>
      </figcaption>
      <BalanceChart balances={balances} index={index} onChoose={setChosen} />
    </figure>
  );
}

/** The same days as the chart, in words, the latest first. */
function BalanceTable({ account, balances }: { account: string; balances: DailyBalance[] }) {
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
                <th scope="row">{longDay(day)}</th>
                <td>
                  <Balance balance={balance} currency={currency_code} />
                </td>
                <td>{momentWords(as_of)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
