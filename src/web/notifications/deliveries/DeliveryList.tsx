import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { DeliveryPage } from '../../../shared/contract/deliveries.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../design/Button.tsx';
import { Retry } from '../../design/Retry.tsx';
import type { Place } from '../../time/calendar.ts';
import { useNow } from '../../time/clock.ts';
import styles from './DeliveryList.module.css';
import { outcomeWords } from './words.ts';

export function DeliveryList({ messengerId, place }: { messengerId: string; place: Place }) {
  const history = useDeliveries(messengerId);
  const now = useNow();
  const deliveries = history.data?.pages.flatMap((page) => page.deliveries);
  const list = useRef<HTMLOListElement>(null);
  async function readOn() {
    const { hasNextPage } = await history.fetchNextPage();
    // The button goes with the last page; who has left it meanwhile stays where they are.
    const { activeElement, body } = document;
    const isHere = activeElement === body || list.current?.parentElement?.contains(activeElement);
    if (!hasNextPage && isHere) list.current?.focus({ preventScroll: true });
  }
  return (
    <>
      {history.isPending && <p role="status">Chargement…</p>}
      {deliveries?.length === 0 && <p>Aucun envoi pour le moment.</p>}
      {deliveries && deliveries.length > 0 && (
        <ol ref={list} tabIndex={-1} className={styles.list}>
          {deliveries.map((delivery) => (
            <li key={delivery.id} data-outcome={delivery.outcome}>
              {outcomeWords(delivery, now, place)}
              {delivery.channelName && <span className="note"> #{delivery.channelName}</span>}
            </li>
          ))}
        </ol>
      )}
      {history.isError && (
        <Retry
          text="Les envois n'ont pas pu être chargés."
          query={deliveries ? { ...history, refetch: history.fetchNextPage } : history}
        />
      )}
      {history.hasNextPage && !history.isError && (
        <Button busy={history.isFetchingNextPage} onClick={readOn}>
          Envois précédents
        </Button>
      )}
    </>
  );
}

function useDeliveries(messengerId: string) {
  return useInfiniteQuery({
    queryKey: ['deliveries', messengerId],
    queryFn: ({ pageParam, signal }) => {
      const before = pageParam && `?before=${encodeURIComponent(pageParam)}`;
      const path = `/messengers/${encodeURIComponent(messengerId)}/deliveries${before}`;
      return call<DeliveryPage>('GET', path, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  });
}
