import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import type { ChatOffer } from '../../../shared/contract/chats.ts';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import { call } from '../../api/call.ts';
import { configuration } from '../../api/configuration.ts';
import { failureText } from '../../api/failure.ts';
import { Button } from '../../design/Button.tsx';
import { Callout } from '../../design/Callout.tsx';
import { Mark } from '../../design/Mark.tsx';
import { Retry } from '../../design/Retry.tsx';
import { KIND } from '../chats/slack/words.ts';
import styles from './LinkingDialog.module.css';
import { LinkingForm } from './LinkingForm.tsx';

interface LinkingDialogProps {
  messenger: Messenger | undefined;
  /** Gets the focus back. */
  opener: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** First the list of chats, unless it is known which; then the form of one of them. */
export function LinkingDialog({ messenger, opener, onClose }: LinkingDialogProps) {
  const query = useQuery({
    queryKey: ['chats'],
    queryFn: ({ signal }) => call<ChatOffer[]>('GET', '/messengers/chats', { signal }),
    staleTime: 5 * 60_000,
  });
  const offers = query.data?.filter((offer) =>
    messenger ? offer.kind === messenger.chat : offer.kind !== KIND,
  );
  const [chosen, setChosen] = useState<ChatOffer | null>(null);
  const offer = chosen ?? (offers?.length === 1 ? offers[0] : undefined);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={`surface stack ${styles.popup}`} finalFocus={opener}>
          <Dialog.Title className={styles.title}>
            {offer ? `Relier ${offer.name}` : 'Dans quelle messagerie\u202f?'}
          </Dialog.Title>
          {configuration.demoUrl && (
            <Callout look="warning">{"Démonstration\u202f: n'entrez aucun vrai secret."}</Callout>
          )}
          {query.isError && (
            <Retry
              text={`Les messageries n'ont pas pu être chargées. ${failureText(query.error)}`}
              busy={query.isFetching}
              onRetry={() => query.refetch()}
            />
          )}
          {!offers && !query.isError && <p role="status">Chargement…</p>}
          {offer && <LinkingForm {...{ offer, messenger, onClose }} key={offer.kind} />}
          {offers && !offer && <ChatList offers={offers} onChoose={setChosen} />}
          <div className={styles.foot}>
            {chosen && <Button onClick={() => setChosen(null)}>Autres messageries</Button>}
            <Dialog.Close render={<Button />}>Fermer</Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface ChatListProps {
  offers: ChatOffer[];
  onChoose: (offer: ChatOffer) => void;
}

function ChatList({ offers, onChoose }: ChatListProps) {
  return (
    <ul className={styles.list}>
      {offers.map((offer) => (
        <li key={offer.kind}>
          <button type="button" className={styles.choice} onClick={() => onChoose(offer)}>
            <Mark>{offer.name[0]}</Mark>
            {offer.name}
          </button>
        </li>
      ))}
    </ul>
  );
}
