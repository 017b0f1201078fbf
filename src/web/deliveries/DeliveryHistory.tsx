import { useState } from 'react';
import { chunk } from '../application/chunks.ts';
import { PartBoundary } from '../application/PartBoundary.tsx';
import type { Place } from '../time/calendar.ts';
import styles from './DeliveryHistory.module.css';

const list = chunk(async () => (await import('./DeliveryList.tsx')).DeliveryList);

/** The last deliveries, fetched when somebody opens them. */
export function DeliveryHistory({ messengerId, hour }: { messengerId: string; hour: Place }) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className={styles.history}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>Derniers envois</summary>
      {open && (
        <PartBoundary onFailure={() => setOpen(false)} waiting={<p role="status">Chargement…</p>}>
          <list.Part messengerId={messengerId} place={hour} />
        </PartBoundary>
      )}
    </details>
  );
}
