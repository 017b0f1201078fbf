import { type PointerEvent, useId, useMemo, useState } from 'react';
import type { BankAccount } from '../../../shared/contract/banks.ts';
import { Button } from '../../design/Button.tsx';
import { moneyText, spokenBalance } from '../../money/balance.ts';
import { useAmountsHidden } from '../../money/hiding.ts';
import { mask } from '../../money/mask.ts';
import { longDay } from '../../time/calendar.ts';
import { shortDay } from '../../time/dates.ts';
import { nearestPoint } from '../history/chart.ts';
import type { useBalanceHistories } from '../queries.ts';
import type { Histories } from '../totals.ts';
import styles from './Curve.module.css';
import { curveOf, fromFirstKnown } from './curve.ts';
import { lastDays, totalsByDay } from './past-totals.ts';
import treasury from './Treasury.module.css';

/** Fewer days make no curve. */
const leastDays = 3;

interface CurveProps {
  currency: string;
  accounts: BankAccount[];
  histories: Histories;
  /** How many days are drawn, up to today. */
  length: Days;
  now: Date;
  /** Where it is chosen how many: beside the first curve that is drawn, see the style. */
  period: PeriodProps;
}

export type Days = 30 | 90;

interface PeriodProps {
  chosen: Days;
  onChoose: (days: Days) => void;
  /** The reading of ninety days. */
  quarter: ReturnType<typeof useBalanceHistories>;
}

/** The total at the end of each day where it is known of every account; a gap elsewhere. */
export function Curve({ currency, accounts, histories, length, now, period }: CurveProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const hidden = useAmountsHidden();
  const gradient = useId();
  const { days, totals } = useMemo(() => {
    const asked = lastDays(length, now);
    return fromFirstKnown(asked, totalsByDay(asked, currency, accounts, histories));
  }, [length, now, currency, accounts, histories]);
  const { points, line, area } = curveOf(totals);
  if (points.length < leastDays) {
    return (
      <p className={`note ${styles.none}`}>
        La courbe se dessine dès que trois jours sont connus pour tous vos comptes.
      </p>
    );
  }
  const found = points.findIndex(({ index }) => days[index] === chosen);
  const at = found === -1 ? points.length - 1 : found;
  const shown = points[at] ?? { index: 0, x: 0, y: 0, total: 0 };
  const choose = (point: { index: number } | undefined) =>
    setChosen((point && days[point.index]) ?? null);
  function follow({ currentTarget, clientX }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect();
    const x = ((clientX - left) / width) * 100;
    choose(points[nearestPoint(points, x)]);
  }
  const day = days[shown.index] ?? '';
  const known = points.length;
  return (
    <figure className={styles.figure}>
      <div className={styles.choice}>
        {period.chosen === 90 && <QuarterNotice {...period.quarter} />}
        <Period {...period} />
      </div>
      <div
        className={styles.plot}
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={() => choose(undefined)}
      >
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <linearGradient id={gradient} x2="0" y2="1">
            <stop offset="0" className={styles.high} />
            <stop offset="1" className={styles.low} />
          </linearGradient>
          <path d={area} fill={`url(#${gradient})`} />
          <path d={line} className={styles.line} />
        </svg>
        <span className={styles.dot} style={{ left: `${shown.x}%`, top: `${shown.y}%` }} />
        <input
          type="range"
          className="unseen"
          aria-label={`Date du total (${currency})`}
          min={0}
          max={known - 1}
          value={at}
          aria-valuetext={`${longDay(day)}\u202f: ${
            hidden ? 'montant masqué' : spokenBalance(shown.total, currency)
          }`}
          onChange={({ target }) => choose(points[Number(target.value)])}
        />
      </div>
      <figcaption className={`note ${styles.days}`}>
        {chosen ? (
          <span>
            {longDay(day)}
            {'\u202f'}:{' '}
            <strong className="amount">{hidden ? mask : moneyText(shown.total, currency)}</strong>
          </span>
        ) : (
          <>
            <span>{shortDay(days[0] ?? '')}</span>
            {known < length && (
              <span>
                {known} jours connus pour tous vos comptes, sur {length}
              </span>
            )}
            <span>{shortDay(days.at(-1) ?? '')}</span>
          </>
        )}
      </figcaption>
    </figure>
  );
}

/** While ninety days are chosen and only thirty are there. */
function QuarterNotice({
  histories,
  isMissing,
  isFetching,
  refetch,
}: ReturnType<typeof useBalanceHistories>) {
  if (histories) return null;
  return (
    <p role="status" className={treasury.changes}>
      <span className="note">
        {isMissing
          ? "Les 90 jours n'ont pas pu être lus\u202f: voici les 30 derniers."
          : 'Lecture des 90 jours…'}
      </span>
      {isMissing && (
        <Button variant="text" busy={isFetching} onClick={() => refetch()}>
          Réessayer
        </Button>
      )}
    </p>
  );
}

function Period({ chosen, onChoose }: PeriodProps) {
  return (
    <fieldset className={styles.period}>
      <legend className="unseen">Période de la courbe</legend>
      {([30, 90] as const).map((days) => (
        <button
          key={days}
          type="button"
          aria-pressed={days === chosen}
          onClick={() => onChoose(days)}
        >
          {days} jours
        </button>
      ))}
    </fieldset>
  );
}
