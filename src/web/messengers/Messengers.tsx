import { useRef } from 'react';
import { useSearch } from 'wouter';
import { handleIn } from '../application/slack-handle.ts';
import { useKnownBankData } from '../banks/queries.ts';
import { Callout } from '../design/Callout.tsx';
import { Retry } from '../design/Retry.tsx';
import { CardSkeleton, Cards, Section } from '../design/Section.tsx';
import { FirstSteps } from '../home/FirstSteps.tsx';
import { loadingState } from '../home/loading-state.ts';
import { AddMessenger } from './AddMessenger.tsx';
import { MessengerCard } from './MessengerCard.tsx';
import { useLastWriting } from './mutations.ts';
import { useMe } from './queries.ts';
import { isComplete, sortedMessengers } from './reading.ts';
import { useSlackArrival } from './slack-arrival.ts';

export function Messengers() {
  const { me, state, messengers } = useMessengers();
  const arriving = handleIn(useSearch()) !== null;
  const heading = useRef<HTMLHeadingElement>(null);
  useSlackArrival(messengers !== null);
  // Without a bank, that is where the first steps stand.
  const hasBank = useKnownBankData().items.length > 0;
  const isStarting = hasBank && messengers !== null && !messengers.some(isComplete);
  const isEmpty = messengers?.length === 0;
  const add = messengers && <AddMessenger {...{ messengers, state, arriving }} />;
  return (
    <Section
      title="Notifications"
      state={state}
      headingRef={heading}
      actions={!(isStarting && isEmpty) && add}
    >
      {me.isError && (
        <Retry
          text={`Vos notifications n'ont pas pu être ${messengers ? 'actualisées' : 'chargées'}.`}
          busy={me.isFetching}
          onRetry={() => me.refetch()}
        />
      )}
      {!messengers && !me.isError && <CardSkeleton label="Chargement de vos notifications…" />}
      {isStarting && (
        <FirstSteps
          action={isEmpty ? add : <a href="#notifications">Compléter la notification</a>}
        />
      )}
      {isEmpty && (arriving || !isStarting) && <NoMessenger arriving={arriving} />}
      {me.data && messengers && messengers.length > 0 && (
        <Cards id="notifications">
          {messengers.map((messenger) => (
            <MessengerCard
              key={messenger.id}
              owner={me.data.id}
              messenger={messenger}
              alone={messengers.length === 1}
              onDeleted={() => heading.current?.focus()}
            />
          ))}
        </Cards>
      )}
    </Section>
  );
}

function NoMessenger({ arriving }: { arriving: boolean }) {
  return (
    <Callout look="quiet">
      {arriving
        ? 'Connexion de votre espace Slack…'
        : 'Aucune notification. Ajoutez Slack pour recevoir un message chaque jour.'}
    </Callout>
  );
}

function useMessengers() {
  const me = useMe();
  const state = loadingState([me], useLastWriting(), me.dataUpdatedAt);
  return { me, state, messengers: me.data ? sortedMessengers(me.data.messengers) : null };
}
