import { useId, useState } from 'react';
import type { BankAccount, DailyBalance } from '../../shared/contract/banks.ts';
import { LazyBoundary } from '../design/ErrorBoundary.tsx';
import { lazyComponent } from '../design/lazy-component.ts';
import { Balance } from '../money/Amount.tsx';
import { useAmountsHidden } from '../money/hiding.ts';
import { longDateTime } from '../time/calendar.ts';
import { useNow } from '../time/clock.ts';
import { relativeDate } from '../time/relative.ts';
import styles from './Accounts.module.css';
import { sparklineBox, sparklinePath } from './history/step-line.ts';
import { useCachedBankData } from './queries.ts';
import { duplicateAccounts, type Histories } from './totals.ts';

const history = lazyComponent(
  () => import('./history/BalanceHistory.tsx'),
  (file) => file.BalanceHistory,
);

/** More of them are folded, until asked for. */
const shownWhenFolded = 4;
/** Fewer days make no line. */
const leastDays = 3;

interface AccountsProps {
  accounts: BankAccount[];
  /** None is folded. */
  whole: boolean;
  /** Of the last 30 days, by account; undefined until they are known. */
  trends: Histories | undefined;
  refreshing: boolean;
}

export function Accounts({ accounts, whole, trends, refreshing }: AccountsProps) {
  const duplicates = duplicateAccounts(useCachedBankData().accounts);
  const [open, setOpen] = useState(false);
  const hidden = useAmountsHidden();
  const list = useId();
  if (accounts.length === 0) {
    return refreshing ? null : (
      <p className="note">Aucun compte courant visible pour cette banque.</p>
    );
  }
  const canFold = !whole && accounts.length > shownWhenFolded;
  return (
    <div className={styles.frame}>
      <ul className={styles.accounts} id={list}>
        {(canFold && !open ? accounts.slice(0, shownWhenFolded) : accounts).map((account) => (
          <li key={account.id}>
            <p className={styles.line}>
              <span>
                {account.name}
                {'\u202f'}:{' '}
              </span>
              <strong>
                <Balance balance={account.balance} currency={account.currency_code} />
              </strong>
            </p>
            <UpdateLine updated={account.updated_at} duplicateOf={duplicates.get(account.id)} />
            <Trend account={account} balances={trends && (trends.get(account.id) ?? [])} />
          </li>
        ))}
      </ul>
      {canFold && (
        <button
          type="button"
          className={styles.fold}
          aria-expanded={open}
          aria-controls={list}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Replier les comptes' : foldedWords(accounts.slice(shownWhenFolded), hidden)}
        </button>
      )}
    </div>
  );
}

/** What is folded away, and whether it holds something that asks for care, unless amounts are hidden. */
function foldedWords(folded: BankAccount[], hidden: boolean): string {
  const words =
    folded.length > 1 ? `Voir les ${folded.length} autres comptes` : "Voir l'autre compte";
  const overdrawn = folded.filter(({ balance }) => balance !== null && balance < 0).length;
  return overdrawn > 0 && !hidden ? `${words}, dont ${overdrawn} à découvert` : words;
}

interface UpdateLineProps {
  updated: string | null;
  /** The account that is in the total instead of this one, which comes through another source. */
  duplicateOf: BankAccount | undefined;
}

function UpdateLine({ updated, duplicateOf }: UpdateLineProps) {
  const now = useNow();
  const date = updated === null ? null : new Date(updated);
  return (
    <p className={`note ${styles.updated}`}>
      Dernière mise à jour{'\u202f'}:{' '}
      <time dateTime={updated ?? undefined} title={date ? longDateTime(date) : undefined}>
        {relativeDate(date, now)}
      </time>
      {duplicateOf && (
        <>
          <br />
          Déjà compté avec {duplicateOf.bank.name}
        </>
      )}
    </p>
  );
}

interface TrendProps {
  account: BankAccount;
  /** Of the last 30 days; undefined until they are known. */
  balances: readonly DailyBalance[] | undefined;
}

/** A small line of the last 30 days: the button that opens 90 of them with their values. */
function Trend({ account, balances }: TrendProps) {
  const [open, setOpen] = useState(false);
  // Its place is kept: nothing moves when it comes.
  if (!balances || balances.length < leastDays) return <span className={styles.trend} />;
  return (
    <>
      <button
        type="button"
        className={styles.trend}
        title="Historique"
        aria-label={`Historique de ${account.name}`}
        aria-expanded={open}
        onPointerEnter={history.preload}
        onFocus={history.preload}
        onClick={() => setOpen(!open)}
      >
        <svg viewBox={`0 0 ${sparklineBox.width} ${sparklineBox.height}`} aria-hidden="true">
          <path d={sparklinePath(balances)} />
        </svg>
      </button>
      {open && (
        <div className={styles.history}>
          <LazyBoundary onFailure={() => setOpen(false)} waiting={<p role="status">Chargement…</p>}>
            <history.Component account={account} />
          </LazyBoundary>
        </div>
      )}
    </>
  );
}
