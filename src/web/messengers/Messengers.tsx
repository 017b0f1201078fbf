import { useRef } from 'react';
import { useSearch } from 'wouter';
import { handleIn } from '../application/slack-handle.ts';
import { Callout } from '../design/Callout.tsx';
import { Retry } from '../design/Retry.tsx';
import { CardSkeleton, Cards, Section } from '../design/Section.tsx';
import { loadingState } from '../home/loading-state.ts';
import { AddMessenger } from './AddMessenger.tsx';
import { MessengerCard } from './MessengerCard.tsx';
import { useLastWriting } from './mutations.ts';
import { useMe } from './queries.ts';
import { sortedMessengers } from './reading.ts';
import { useSlackArrival } from './slack-arrival.ts';

export function Messengers() {
  const { me, state, messengers } = useMessengers();
  const arriving = handleIn(useSearch()) !== null;
  const heading = useRef<HTMLHeadingElement>(null);
  useSlackArrival(messengers !== null);
  return (
    <Section
      title="Notifications"
      state={state}
      headingRef={heading}
      actions={messengers && <AddMessenger {...{ messengers, state, arriving }} />}
    >
      {me.isError && (
        <Retry
          text={`Vos notifications n'ont pas pu être ${messengers ? 'actualisées' : 'chargées'}.`}
          busy={me.isFetching}
          onRetry={() => me.refetch()}
        />
      )}
      {!messengers && !me.isError && <CardSkeleton label="Chargement de vos notifications…" />}
      {messengers?.length === 0 && <NoMessenger arriving={arriving} />}
      {me.data && messengers && messengers.length > 0 && (
        <Cards>
          {messengers.map((messenger) => (
            <MessengerCard
              key={messenger.id}
              owner={me.data.id}
              messenger={messenger}
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
        : "Aucune notification pour le moment. Ajoutez Slack pour recevoir un message chaque jour, à l'heure de votre choix."}
    </Callout>
  );
}

function useMessengers() {
  const me = useMe();
  const state = loadingState([me], useLastWriting(), me.dataUpdatedAt);
  return { me, state, messengers: me.data ? sortedMessengers(me.data.messengers) : null };
}
