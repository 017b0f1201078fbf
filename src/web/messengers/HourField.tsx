import { useId } from 'react';
import type { Hour } from '../../shared/contract/messengers.ts';
import { browserZone, offsetOf, placeWords } from '../time/calendar.ts';
import { now } from '../time/clock.ts';
import { MINUTES } from './draft.ts';
import styles from './MessengerForm.module.css';

interface HourFieldProps {
  /** As it is saved. */
  stored: Hour;
  /** As it is on screen. */
  hour: Hour;
  onChange: (hour: Hour) => void;
}

/** A change sets the hour together with this browser's zone and offset (specification §4). */
export function HourField({ stored, hour, onChange }: HourFieldProps) {
  const id = useId();
  const change = (part: Partial<Hour>) =>
    onChange({ ...hour, ...part, zone: browserZone(), timeZone: offsetOf(now()) });
  return (
    <fieldset className={styles.hour} aria-describedby={`${id}-note`}>
      <legend>Tous les jours de la semaine à</legend>
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

/** Says beforehand that a change takes this browser's zone, when that is another than the stored one. */
export function zoneNote(stored: Hour, hour: Hour, browser: string): string {
  if (hour.zone === browser || stored.zone === browser) return capital(placeWords(hour));
  const taken = placeWords({ zone: browser, timeZone: '' });
  return `${capital(placeWords(stored))}. Si vous changez l'heure, elle passera à l'${taken}.`;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
