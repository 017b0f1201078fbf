import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChatOffer } from '../../../shared/contract/chats.ts';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import { call } from '../../api/call.ts';
import { configuration } from '../../api/configuration.ts';
import { failureText } from '../../api/failure.ts';
import { Button } from '../../design/Button.tsx';
import { Callout } from '../../design/Callout.tsx';
import type { DialogProps } from '../../design/DialogButton.tsx';
import { NewTabLink } from '../../design/NewTabLink.tsx';
import { RetryCallout } from '../../design/RetryCallout.tsx';
import { Sheet, SheetChoice, SheetChoices } from '../../design/Sheet.tsx';
import * as slackWords from '../chats/slack/words.ts';
import { LinkChatForm } from './LinkChatForm.tsx';

interface LinkChatDialogProps extends DialogProps {
  messenger: Messenger | undefined;
}

/** First the list of chats, unless it is known which; then the form of one of them. */
export function LinkChatDialog({ messenger, opener, onClose }: LinkChatDialogProps) {
  const query = useQuery({
    queryKey: ['chats'],
    queryFn: ({ signal }) => call<ChatOffer[]>('GET', '/messengers/chats', { signal }),
    staleTime: 5 * 60_000,
  });
  const offers = query.data?.filter((offer) =>
    messenger ? offer.kind === messenger.chat : offer.kind !== slackWords.kind,
  );
  const [chosen, setChosen] = useState<ChatOffer | null>(null);
  const offer = chosen ?? (offers?.length === 1 ? offers[0] : undefined);
  return (
    <Sheet
      title={offer ? titleOf(offer) : 'Dans quelle messagerie\u202f?'}
      opener={opener}
      onClose={onClose}
      more={chosen && <Button onClick={() => setChosen(null)}>Autres messageries</Button>}
    >
      {configuration.demoUrl && (
        <DemoNotice
          demoUrl={configuration.demoUrl}
          isMail={offer !== undefined && isMailed(offer)}
        />
      )}
      {query.isError && (
        <RetryCallout
          text={`Les messageries n'ont pas pu être chargées. ${failureText(query.error)}`}
          query={query}
        />
      )}
      {!offers && !query.isError && <p role="status">Chargement…</p>}
      {offer && <LinkChatForm {...{ offer, messenger, onClose }} key={offer.kind} />}
      {offers && !offer && <ChatList offers={offers} onChoose={setChosen} />}
    </Sheet>
  );
}

/** A mailbox is there already: nothing is linked. */
function titleOf(offer: ChatOffer): string {
  const { name } = offer;
  return isMailed(offer) ? `Recevoir par ${name.toLowerCase()}` : `Relier ${name}`;
}

function isMailed({ linkings }: ChatOffer): boolean {
  return linkings[0]?.way === 'mailbox';
}

/** Where the demonstration keeps what this chat needs and gets. */
function DemoNotice({ demoUrl, isMail }: { demoUrl: string; isMail: boolean }) {
  const [words, page, path] = isMail
    ? ['Les emails arrivent dans la ', 'boîte de réception de la démonstration', '/mails']
    : ['Adresses à coller et messages reçus sont sur la ', 'page de la démonstration', ''];
  return (
    <Callout variant="warning">
      {`Démonstration\u202f: n'entrez aucun vrai secret. ${words}`}
      <NewTabLink href={demoUrl + path} className="">
        {page}
      </NewTabLink>
      .
    </Callout>
  );
}

interface ChatListProps {
  offers: ChatOffer[];
  onChoose: (offer: ChatOffer) => void;
}

function ChatList({ offers, onChoose }: ChatListProps) {
  return (
    <SheetChoices>
      {offers.map((offer) => (
        <SheetChoice key={offer.kind} name={offer.name} onChoose={() => onChoose(offer)} />
      ))}
    </SheetChoices>
  );
}
