import type { Messenger } from '../../shared/contract/messengers.ts';
import { outcomeWords } from '../deliveries/words.ts';
import { dayAndTime, placeWords } from '../time/calendar.ts';
import { useNow } from '../time/clock.ts';
import styles from './Schedule.module.css';

/** The next sending in words, and what became of the last. */
export function Schedule({ messenger }: { messenger: Messenger }) {
  const now = useNow();
  const { nextDate, lastDelivery, hour } = messenger;
  return (
    <div className={styles.schedule}>
      <p>
        {nextDate
          ? `Prochain envoi ${dayAndTime(new Date(nextDate), now, hour)}, ${placeWords(hour)}`
          : 'Aucun envoi prévu'}
      </p>
      {lastDelivery && <p>{`Dernier envoi\u202f: ${outcomeWords(lastDelivery, now, hour)}`}</p>}
    </div>
  );
}
