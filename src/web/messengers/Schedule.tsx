import type { Messenger } from '../../shared/contract/messengers.ts';
import { outcomeWords } from '../deliveries/words.ts';
import { dayAndTime, placeWords } from '../time/calendar.ts';
import { useNow } from '../time/clock.ts';
import { followingDays } from './rhythm.ts';
import styles from './Schedule.module.css';

interface ScheduleProps {
  messenger: Messenger;
  /** Without the days after the next. */
  brief: boolean;
}

/** When it is sent, the next five times, and what became of the last. */
export function Schedule({ messenger, brief }: ScheduleProps) {
  const now = useNow();
  const { nextDate, nextDates, lastDelivery, hour } = messenger;
  const following = nextDates.slice(1);
  return (
    <div className={styles.schedule}>
      <p>
        {nextDate
          ? `Prochain envoi ${dayAndTime(new Date(nextDate), now, hour)}, ${placeWords(hour)}`
          : 'Aucun envoi prévu'}
      </p>
      {following.length > 0 && !brief && <p>Puis {followingDays(following, hour)}</p>}
      {lastDelivery && (
        <p data-outcome={lastDelivery.outcome}>
          {`Dernier envoi\u202f: ${outcomeWords(lastDelivery, now, hour)}`}
        </p>
      )}
    </div>
  );
}
