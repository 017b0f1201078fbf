import { useId } from 'react';
import type { Hour } from '../../shared/contract/messengers.ts';
import { browserZone, formalZone, offsetOf, twoDigits } from '../time/calendar.ts';
import { now } from '../time/clock.ts';
import { minuteChoices } from './draft.ts';
import styles from './MessengerForm.module.css';
import { scheduleLegend, zoneNote } from './schedule-words.ts';

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
  const zone = zoneHere(stored);
  const change = (part: Partial<Hour>) =>
    onChange({ ...hour, ...part, zone, timeZone: offsetOf(now()) });
  return (
    <fieldset className={styles.hour} aria-describedby={`${id}-note`}>
      <legend>{scheduleLegend(days)}</legend>
      <div className={styles.clock}>
        <NumberSelect
          label="Heures"
          choices={hours}
          value={hour.hours}
          onChange={(chosen) => change({ hours: chosen })}
        />
        <span aria-hidden="true">:</span>
        <NumberSelect
          label="Minutes"
          choices={minuteChoices}
          value={hour.minutes}
          onChange={(minutes) => change({ minutes })}
        />
      </div>
      <p id={`${id}-note`} className={`note ${styles.note}`}>
        {zoneNote(stored, hour, zone)}
      </p>
    </fieldset>
  );
}

/** This browser's, by the name it is saved under where that is another: Asia/Kolkata, Asia/Calcutta. */
function zoneHere({ zone }: Hour): string {
  const here = browserZone();
  return zone !== null && formalZone(zone) === formalZone(here) ? zone : here;
}

const hours = Array.from({ length: 24 }, (_, index) => index);

interface NumberSelectProps<Choice extends number> {
  label: string;
  choices: readonly Choice[];
  value: Choice;
  onChange: (choice: Choice) => void;
}

function NumberSelect<Choice extends number>(props: NumberSelectProps<Choice>) {
  const { label, choices, value, onChange } = props;
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ target }) => {
        const chosen = choices[target.selectedIndex];
        if (chosen !== undefined) onChange(chosen);
      }}
    >
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {twoDigits(choice)}
        </option>
      ))}
    </select>
  );
}
