import { useId } from 'react';
import type { Hour } from '../../shared/contract/messengers.ts';
import { browserZone, offsetOf } from '../time/calendar.ts';
import { now } from '../time/clock.ts';
import { MINUTES } from './draft.ts';
import styles from './MessengerForm.module.css';
import { rhythmLegend } from './rhythm.ts';
import { zoneNote } from './zone-note.ts';

interface HourFieldProps {
  /** The days of the week that send. */
  days: readonly number[];
  /** As it is saved. */
  stored: Hour;
  /** As it is on screen. */
  hour: Hour;
  onChange: (hour: Hour) => void;
}

/** A change sets the hour together with this browser's zone and offset (specification §4). */
export function HourField({ days, stored, hour, onChange }: HourFieldProps) {
  const id = useId();
  const change = (part: Partial<Hour>) =>
    onChange({ ...hour, ...part, zone: browserZone(), timeZone: offsetOf(now()) });
  return (
    <fieldset className={styles.hour} aria-describedby={`${id}-note`}>
      <legend>{rhythmLegend(days)}</legend>
      <div className={styles.clock}>
        <select
          aria-label="Heures"
          value={hour.hours}
          onChange={(event) => change({ hours: Number(event.target.value) })}
        >
          {hours.map((choice) => (
            <option key={choice} value={choice}>
              {twoDigits(choice)}
            </option>
          ))}
        </select>
        <span aria-hidden="true">:</span>
        <select
          aria-label="Minutes"
          value={hour.minutes}
          onChange={(event) => change({ minutes: minutesOf(event.target.value) })}
        >
          {MINUTES.map((choice) => (
            <option key={choice} value={choice}>
              {twoDigits(choice)}
            </option>
          ))}
        </select>
      </div>
      <p id={`${id}-note`} className={styles.note}>
        {zoneNote(stored, hour, browserZone())}
      </p>
    </fieldset>
  );
}

const hours = Array.from({ length: 24 }, (_, index) => index);

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

function minutesOf(value: string): Hour['minutes'] {
  return MINUTES.find((choice) => String(choice) === value) ?? 0;
}
