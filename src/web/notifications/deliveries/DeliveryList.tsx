import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { DeliveryPage } from '../../../shared/contract/deliveries.ts';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import { call } from '../../api/call.ts';
import { useReread } from '../../api/reread.ts';
import { Button } from '../../design/Button.tsx';
import { RetryCallout } from '../../design/RetryCallout.tsx';
import { useNow } from '../../time/clock.ts';
import { messengerPath } from '../queries.ts';
import styles from './DeliveryList.module.css';
import { outcomeWords } from './words.ts';

export function DeliveryList({ messenger }: { messenger: Messenger }) {
  const history = useDeliveries(messenger);
  const now = useNow();
  const deliveries = history.data?.pages.flatMap((page) => page.deliveries);
  const channelMark = messenger.channels === 'one' ? '' : '#';
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
              {outcomeWords(delivery, now, messenger.hour)}
              {delivery.channelName && (
                <span className="note"> {channelMark + delivery.channelName}</span>
              )}
            </li>
          ))}
        </ol>
      )}
      {history.isError && (
        <RetryCallout
          text="Les envois n'ont pas pu être chargés."
          query={
            history.isFetchNextPageError ? { ...history, refetch: history.fetchNextPage } : history
          }
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

/** Read again whenever the card tells of another last delivery, or of another end of it. */
function useDeliveries({ id, lastDelivery }: Messenger) {
  const queryKey = ['deliveries', id];
  useReread(queryKey, `${lastDelivery?.id} ${lastDelivery?.outcome}`);
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const before = pageParam && `?before=${encodeURIComponent(pageParam)}`;
      const path = `${messengerPath(id)}/deliveries${before}`;
      return call<DeliveryPage>('GET', path, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  });
}
