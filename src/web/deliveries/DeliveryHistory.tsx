import { chunk } from '../application/chunks.ts';
import { LazyDetails } from '../design/LazyDetails.tsx';
import type { Place } from '../time/calendar.ts';

const list = chunk(async () => (await import('./DeliveryList.tsx')).DeliveryList);

/** The last deliveries, fetched when somebody opens them. */
export function DeliveryHistory({ messengerId, hour }: { messengerId: string; hour: Place }) {
  return (
    <LazyDetails summary="Derniers envois" prepare={list.prepare}>
      {() => <list.Part messengerId={messengerId} place={hour} />}
    </LazyDetails>
  );
}
