import { type PointerEvent, useMemo } from 'react';
import type { DailyBalance } from '../../../shared/contract/banks.ts';
import { spokenBalance } from '../../money/balance.ts';
import { useAmountsHidden } from '../../money/hiding.ts';
import { longDay } from '../../time/calendar.ts';
import { shortDay } from '../../time/dates.ts';
import styles from './BalanceChart.module.css';
import { chartBox, chartOf, nearestPoint } from './chart.ts';

interface BalanceChartProps {
  balances: DailyBalance[];
  /** The day whose value is shown. */
  index: number;
  onChoose: (index: number) => void;
}

/** The drawing; keys and screen readers go from day to day with the invisible slider under it. */
export function BalanceChart({ balances, index, onChoose }: BalanceChartProps) {
  const chart = useMemo(() => chartOf(balances), [balances]);
  const hidden = useAmountsHidden();
  const shown = balances[index];
  const point = chart.points[index];
  if (!shown || !point) return null;
  function follow({ currentTarget, clientX }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect();
    onChoose(nearestPoint(chart.points, ((clientX - left) / width) * chartBox.width));
  }
  const value = hidden ? 'montant masqué' : spokenBalance(shown.balance, shown.currency_code);
  return (
    <div className={styles.chart} onPointerMove={follow} onPointerDown={follow}>
      <svg viewBox={`0 0 ${chartBox.width} ${chartBox.height}`} aria-hidden="true">
        <path className={styles.area} d={chart.area} />
        {chart.levels.map((level) => (
          <g key={level.value} className={styles.level}>
            <line x1={chart.left} x2={chartBox.width - chartBox.right} y1={level.y} y2={level.y} />
            {!hidden && (
              <text x={chart.left - 8} y={level.y + 4} textAnchor="end">
                {level.text}
              </text>
            )}
          </g>
        ))}
        <path className={styles.line} d={chart.line} />
        <line className={styles.cursor} x1={point.x} x2={point.x} y1={chartBox.top} y2={foot} />
        <circle className={styles.dot} cx={point.x} cy={point.y} r="4" />
        <text className={styles.day} x={chart.left} y={chartBox.height - 6}>
          {shortDay(balances[0]?.day ?? shown.day)}
        </text>
        <text
          className={styles.day}
          x={chartBox.width - chartBox.right}
          y={chartBox.height - 6}
          textAnchor="end"
        >
          {shortDay(balances.at(-1)?.day ?? shown.day)}
        </text>
      </svg>
      <input
        type="range"
        className="unseen"
        aria-label="Jour"
        min={0}
        max={balances.length - 1}
        value={index}
        aria-valuetext={`${longDay(shown.day)}\u202f: ${value}`}
        onChange={({ target }) => onChoose(Number(target.value))}
      />
    </div>
  );
}

const foot = chartBox.height - chartBox.bottom;
