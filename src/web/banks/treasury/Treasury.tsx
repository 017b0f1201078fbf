import { useDeferredValue, useRef, useState } from 'react';
import type { BankAccount } from '../../../shared/contract/banks.ts';
import { Button } from '../../design/Button.tsx';
import { IconButton } from '../../design/IconButton.tsx';
import { lazyComponent } from '../../design/lazy-component.ts';
import { RetryBoundary } from '../../design/RetryBoundary.tsx';
import { useHeightRecorder, useRecordedHeights } from '../../design/recorded-heights.ts';
import { Money } from '../../money/Amount.tsx';
import { setAmountsHidden, useAmountsHidden } from '../../money/hiding.ts';
import { useNow } from '../../time/clock.ts';
import { relativeDate } from '../../time/relative.ts';
import type { BankCardData } from '../bank-cards.ts';
import { useBalanceHistories } from '../queries.ts';
import { duplicateAccounts, totalsOf } from '../totals.ts';
import type { Days } from './Curve.tsx';
import styles from './Treasury.module.css';

const loadTrend = () => import('./trend.ts');
const changes = lazyComponent(loadTrend, (file) => file.Changes);
const curve = lazyComponent(loadTrend, (file) => file.Curve);

/** By which its height is remembered. */
const treasuryName = 'Trésorerie';

interface TreasuryProps {
  /** Null until the banks are known. */
  cards: BankCardData[] | null;
  readAt: number;
  isLoading: boolean;
}

/** What all accounts hold together, how it changed, and as of when: the first thing on the page. */
export function Treasury({ cards, readAt, isLoading }: TreasuryProps) {
  const [height] = useRecordedHeights(treasuryName) ?? [];
  const frame = useRef<HTMLDivElement>(null);
  useHeightRecorder(treasuryName, () => cards && (frame.current?.children ?? []));
  if (!cards) {
    return isLoading && height ? (
      <div className={`surface ${styles.skeleton}`} style={{ height }} aria-hidden="true">
        <span className="bone" />
        <span className="bone" />
      </div>
    ) : null;
  }
  const banks = cards.filter(({ accounts }) => accounts.length > 0).length;
  const accounts = cards.flatMap((card) => card.accounts);
  const isAwaited = cards.some(({ connection }) => connection.state === 'refreshing');
  return (
    <div ref={frame} className={styles.frame}>
      {totalsOf(accounts) ? (
        <Sums accounts={accounts} banks={banks} readAt={readAt} />
      ) : (
        isAwaited && <SumSkeleton />
      )}
    </div>
  );
}

/** As high as the first total will be. */
function SumSkeleton() {
  return (
    <div className={`surface ${styles.treasury}`} aria-hidden="true">
      <ul className={styles.sums}>
        <li>
          <div className={`${styles.figures} ${styles.room}`}>
            <span className="bone" />
            <span className="bone" />
          </div>
          <div className={styles.curve} />
        </li>
      </ul>
    </div>
  );
}

interface SumsProps {
  accounts: BankAccount[];
  banks: number;
  readAt: number;
}

function Sums({ accounts, banks, readAt }: SumsProps) {
  const now = useNow();
  const [days, setDays] = useState<Days>(30);
  const month = useBalanceHistories(readAt, 30);
  const quarter = useBalanceHistories(days === 90 ? readAt : 0, 90);
  const quarterly = days === 90 ? quarter.histories : undefined;
  // The total is drawn first, then in slices what is known of the days before.
  const histories = useDeferredValue(month.histories);
  const totals = totalsOf(accounts);
  if (!totals) return null;
  const { sums, missing, oldest } = totals;
  const count = accounts.length - duplicateAccounts(accounts).size;
  return (
    <section className={`surface ${styles.treasury}`} aria-label={treasuryName}>
      <ul className={styles.sums} data-several={sums.length > 1}>
        {sums.map(({ currency, balance }, index) => (
          <li key={currency}>
            <div className={styles.figures}>
              {index === 0 && (
                <p className="note">
                  Trésorerie totale · {pluralize(banks, 'banque')}, {pluralize(count, 'compte')}{' '}
                  {count > 1 ? 'courants' : 'courant'}
                </p>
              )}
              <div className={styles.sum}>
                <p>
                  <Money amount={balance} currency={currency} />
                </p>
                {index === 0 && <HidingButton />}
              </div>
              {histories ? (
                <RetryBoundary
                  missing="L'évolution n'a pas pu être chargée."
                  waiting={<MissingChanges {...month} />}
                >
                  {() => <changes.Component {...{ currency, accounts, histories, now }} />}
                </RetryBoundary>
              ) : (
                <MissingChanges {...month} />
              )}
              {index === sums.length - 1 && (
                <p className="note">
                  Solde le plus ancien{'\u202f'}:{' '}
                  {oldest ? relativeDate(oldest, now) : 'date inconnue'}.{missingWords(missing)}
                </p>
              )}
            </div>
            <div className={styles.curve}>
              {/* Mounted with them: what was drawn before would wait for the curve's file. */}
              {histories && (
                <RetryBoundary missing="La courbe n'a pas pu être chargée.">
                  {() => (
                    <curve.Component
                      currency={currency}
                      accounts={accounts}
                      histories={quarterly ?? histories}
                      length={quarterly ? 90 : 30}
                      now={now}
                      period={{ chosen: days, onChoose: setDays, quarter }}
                    />
                  )}
                </RetryBoundary>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function pluralize(count: number, noun: string): string {
  return `${count}\u00a0${noun}${count > 1 ? 's' : ''}`;
}

function missingWords(missing: number): string {
  if (missing === 0) return '';
  return missing === 1
    ? " 1 solde non communiqué n'est pas compté."
    : ` ${missing} soldes non communiqués ne sont pas comptés.`;
}

function HidingButton() {
  const hidden = useAmountsHidden();
  return (
    <IconButton
      icon={hidden ? 'closedEye' : 'eye'}
      title={hidden ? 'Afficher les montants' : 'Masquer les montants'}
      onClick={() => setAmountsHidden(!hidden)}
    />
  );
}

type MissingChangesProps = Pick<
  ReturnType<typeof useBalanceHistories>,
  'isMissing' | 'isFetching' | 'refetch'
>;

/** In the place of the changes until the days before are there. */
function MissingChanges({ isMissing, isFetching, refetch }: MissingChangesProps) {
  if (isMissing) {
    return (
      <p className={styles.changes}>
        <span className="note">Évolution indisponible.</span>
        <Button variant="text" busy={isFetching} onClick={() => refetch()}>
          Réessayer
        </Button>
      </p>
    );
  }
  return (
    <p className={styles.changes} aria-hidden="true">
      <span className={`bone ${styles.pill}`} />
    </p>
  );
}
