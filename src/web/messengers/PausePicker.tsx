import { useId } from 'react';
import { Choice } from '../design/Choice.tsx';
import { now } from '../time/clock.ts';
import type { Draft, Values } from './draft.ts';
import styles from './Picker.module.css';

interface PausePickerProps {
  values: Pick<Values, 'stopped' | 'pausedUntil'>;
  onChange: (change: Draft) => void;
}

/** No pause, one with an end, or one without. */
export function PausePicker({ values: { stopped, pausedUntil }, onChange }: PausePickerProps) {
  const id = useId();
  const hasEnd = !stopped && pausedUntil !== null;
  return (
    <fieldset>
      <legend>Envois</legend>
      <Choice
        type="radio"
        name={id}
        label="Actifs"
        checked={!stopped && pausedUntil === null}
        onChange={() => onChange({ stopped: false, pausedUntil: null })}
      />
      <div className={styles.date}>
        <Choice
          type="radio"
          name={id}
          label="En pause, reprise le"
          checked={hasEnd}
          onChange={() => onChange({ stopped: false, pausedUntil: dayIn(7) })}
        />
        {hasEnd && (
          <input
            type="date"
            aria-label="Jour de la reprise"
            required
            min={dayIn(1)}
            value={pausedUntil}
            onChange={({ target: { value } }) => value && onChange({ pausedUntil: value })}
          />
        )}
      </div>
      <Choice
        type="radio"
        name={id}
        label="En pause, sans date de reprise"
        checked={stopped}
        onChange={() => onChange({ stopped: true, pausedUntil: null })}
      />
    </fieldset>
  );
}

/** On this browser's calendar, YYYY-MM-DD. */
function dayIn(days: number): string {
  const at = now();
  at.setDate(at.getDate() + days);
  return new Intl.DateTimeFormat('sv').format(at);
}
