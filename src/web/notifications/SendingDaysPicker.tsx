import { type RefObject, useEffect, useEffectEvent, useId } from 'react';
import { addDays } from '../../shared/calendar/local-date.ts';
import { isRegion, regionNames } from '../../shared/calendar/regions.ts';
import { Choice } from '../design/Choice.tsx';
import { FieldFault } from '../design/FieldFault.tsx';
import { now } from '../time/clock.ts';
import { type Draft, firstResumption, type Values } from './draft.ts';
import styles from './Picker.module.css';
import { weekdays } from './schedule-words.ts';

interface SendingDaysPickerProps {
  values: Values;
  /** What is wrong with the day on which a pause ends. */
  fault: string | null;
  /** No field above it has a fault. */
  isFirstFault: boolean;
  /** That day's field. */
  pause: RefObject<HTMLInputElement | null>;
  onChange: (change: Draft) => void;
}

export function SendingDaysPicker(props: SendingDaysPickerProps) {
  return (
    <div className={`stack ${styles.picker}`}>
      <PausePicker {...props} />
      <Days {...props} />
      <Holidays {...props} />
      <p className="note">Ces réglages s'appliquent une fois validés.</p>
    </div>
  );
}

/** No pause, one with an end, or one without. */
function PausePicker({ values, fault, isFirstFault, pause, onChange }: SendingDaysPickerProps) {
  const { stopped, pausedUntil, hour } = values;
  const id = useId();
  const first = firstResumption(hour, now());
  // It may have been opened because of its fault, and drawn after the press that asked.
  const lead = useEffectEvent(() => {
    if (isFirstFault) pause.current?.focus();
  });
  // Not when a fault above it goes: the person is still typing there.
  useEffect(() => {
    if (fault !== null) lead();
  }, [fault]);
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
          onChange={() => onChange({ stopped: false, pausedUntil: addDays(first, 6) })}
        />
        {hasEnd && (
          <input
            ref={pause}
            type="date"
            aria-label="Jour de la reprise"
            aria-invalid={fault !== null}
            aria-describedby={fault ? `${id}-fault` : undefined}
            required
            min={first}
            value={pausedUntil}
            // Empty while what is typed is no day: any other value would be typed over it.
            onChange={({ target: { value } }) => onChange({ pausedUntil: value })}
          />
        )}
      </div>
      <FieldFault id={`${id}-fault`} text={fault} />
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

/** One day at least stays chosen: a pause is the way to send nothing. */
function Days({ values: { days }, onChange }: SendingDaysPickerProps) {
  function toggle(day: number, isChosen: boolean) {
    const next = isChosen ? [...days, day].toSorted() : days.filter((one) => one !== day);
    if (next.length > 0) onChange({ days: next });
  }
  return (
    <fieldset>
      <legend>Jours d'envoi</legend>
      <div className={styles.days}>
        {weekdays.map((label, index) => (
          <Choice
            key={label}
            type="checkbox"
            label={label}
            checked={days.includes(index + 1)}
            onChange={(isChosen) => toggle(index + 1, isChosen)}
          />
        ))}
      </div>
      {days.length === 1 && (
        <p className="note">Il faut un jour au moins. Pour ne rien envoyer, mettez en pause.</p>
      )}
    </fieldset>
  );
}

function Holidays({ values: { holidays }, onChange }: SendingDaysPickerProps) {
  const id = useId();
  return (
    <div className={`stack ${styles.regions}`}>
      <label htmlFor={id}>Jours fériés</label>
      <select
        id={id}
        value={holidays ?? ''}
        onChange={({ target: { value } }) => onChange({ holidays: isRegion(value) ? value : null })}
      >
        <option value="">Envoyer aussi ces jours-là</option>
        <optgroup label="Ne rien envoyer les jours fériés">
          {Object.entries(regionNames).map(([value, name]) => (
            <option key={value} value={value}>
              Sauf jours fériés{'\u202f'}: {name}
            </option>
          ))}
        </optgroup>
      </select>
    </div>
  );
}
