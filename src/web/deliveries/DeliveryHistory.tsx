import { Suspense, useState } from 'react';
import { chunk } from '../application/chunks.ts';
import type { Place } from '../time/calendar.ts';
import styles from './DeliveryHistory.module.css';

const list = chunk(async () => (await import('./DeliveryList.tsx')).DeliveryList);

/** The last deliveries, fetched when somebody opens them. */
export function DeliveryHistory({ messengerId, hour }: { messengerId: string; hour: Place }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.history} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Derniers envois</summary>
      {open && (
        <Suspense fallback={<p role="status">Chargement…</p>}>
          <list.Part messengerId={messengerId} place={hour} />
        </Suspense>
      )}
    </details>
  );
}
