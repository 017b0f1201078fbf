import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type ComponentType,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useSearch } from 'wouter';
import type { Messenger } from '../../shared/contract/messengers.ts';
import { loadingFailure } from '../api/failure.ts';
import { loadingState } from '../api/loading-state.ts';
import { useReread } from '../api/reread.ts';
import { useCachedBankDataOrNull } from '../banks/queries.ts';
import { Button } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { lazyComponent } from '../design/lazy-component.ts';
import { RetryBoundary } from '../design/RetryBoundary.tsx';
import { RetryCallout } from '../design/RetryCallout.tsx';
import { CardSkeleton, Cards, type LoadingState, Section } from '../design/Section.tsx';
import { meQuery } from '../session/me.ts';
import { beginHomeLoad } from '../session/query-client.tsx';
import { now } from '../time/clock.ts';
import { ConnectLink } from './chats/slack/ConnectLink.tsx';
import * as slackWords from './chats/slack/words.ts';
import { isComplete } from './completeness.ts';
import { useDeletedElsewhere } from './deleted-elsewhere.ts';
import { handleIn, isBackFromConsent } from './linking/handle.ts';
import { useLinkChat } from './linking/LinkChatButton.tsx';
import { MessengerCard } from './MessengerCard.tsx';
import { currentHandle, nextPollMs, sortedMessengers } from './messenger-state.ts';
import { useAddMessenger, useLastMutation } from './mutations.ts';
import { homeMe } from './queries.ts';

const noMessengers =
  'Aucune notification. Reliez votre messagerie pour recevoir un message chaque jour.';

/** How many notifications stay open side by side with their page still short. */
const mostOpen = 2;

/** For those who come back from the chat's consent page. */
const consentReturn = lazyComponent(
  () => import('./linking/ConsentReturn.ts'),
  (file) => file.ConsentReturn,
);

interface MessengersProps {
  /** Stands there between the first bank and the first complete messenger, around the next step. */
  FirstSteps: ComponentType<{ action: ReactNode }>;
}

export function Messengers({ FirstSteps }: MessengersProps) {
  const me = useMessengers();
  const bankData = useCachedBankDataOrNull();
  // The server says which accounts a notification is about, the new ones with them or not, and its text
  // follows the names that they are given.
  useReread(meQuery.queryKey, bankData?.accounts.map(({ id, name }) => `${id} ${name}`).join());
  const state = loadingState([me], useLastMutation(), me.dataUpdatedAt);
  // First drawn in slices, as the banks are; what is then saved is shown at once.
  const isDrawn = useDeferredValue(me.data !== undefined);
  const data = isDrawn ? me.data : undefined;
  const messengers = data ? sortedMessengers(data.messengers) : null;
  const search = useSearch();
  const arriving = handleIn(search) !== null;
  const heading = useRef<HTMLHeadingElement>(null);
  const leave = useDeletedElsewhere(data?.messengers, heading);
  /** Those whose next step is on screen, by id. The last one's button alone is solid. */
  const [unfinished, setUnfinished] = useState<readonly string[]>([]);
  // Without a bank, that is where the first steps stand.
  const banks = bankData?.connections.length ?? 0;
  const isStarting = banks > 0 && messengers !== null && !messengers.some(isComplete);
  const isEmpty = messengers?.length === 0;
  const isNext = isStarting && isEmpty;
  // Held here, for its button comes and goes: what was typed stays.
  const { open, button, dialog } = useLinkChat({ label: 'Autre messagerie' });
  // An address that was asked has accepted: the first notification is there.
  useEffect(() => {
    if (isEmpty === false) open(null);
  }, [isEmpty, open]);
  const add = messengers && <AddMessenger {...{ messengers, state, arriving, isNext, button }} />;
  return (
    <Section
      title="Notifications"
      state={state}
      headingRef={heading}
      actions={!isNext && add}
      // The next step is then on the first screen.
      isBeside={isNext && banks === 1}
    >
      {isBackFromConsent(search) && (
        <RetryBoundary missing="La connexion n'a pas pu être terminée.">
          {() => <consentReturn.Component loaded={messengers !== null} />}
        </RetryBoundary>
      )}
      {me.isError && (
        <RetryCallout
          text={loadingFailure(
            `Vos notifications n'ont pas pu être ${messengers ? 'actualisées' : 'chargées'}.`,
            me.error,
          )}
          query={me}
          onRetry={beginHomeLoad}
        />
      )}
      {!messengers && !me.isError && <CardSkeleton label="Chargement de vos notifications…" />}
      {isStarting && (
        <FirstSteps
          action={isEmpty ? add : <a href="#notifications">Compléter la notification</a>}
        />
      )}
      {isEmpty && (arriving || !isStarting) && (
        <Callout variant="quiet">{arriving ? slackWords.connecting(search) : noMessengers}</Callout>
      )}
      {data && messengers && messengers.length > 0 && (
        <Cards id="notifications">
          {messengers.map((messenger) => (
            <MessengerCard
              key={messenger.id}
              owner={data.id}
              messenger={messenger}
              few={messengers.length <= mostOpen}
              hasPrimaryAction={unfinished.at(-1) === messenger.id}
              onUnfinished={setUnfinished}
              onDeleted={() => {
                leave(messenger.id);
                heading.current?.focus();
              }}
            />
          ))}
        </Cards>
      )}
      {dialog}
    </Section>
  );
}

/** The signed-in user with the messengers, read again when one of them is sent. */
function useMessengers() {
  return useQuery({
    ...homeMe,
    refetchInterval: ({ state }) => nextPollMs(state.data?.messengers ?? [], now()),
  });
}

interface AddMessengerProps {
  messengers: Messenger[];
  state: LoadingState;
  /** A token is in the address's query. */
  arriving: boolean;
  /** It is the next step: the one solid button on the page. */
  isNext: boolean;
  /** For the chats beside the usual one. */
  button: ReactNode;
}

function AddMessenger({ messengers, state, arriving, isNext, button }: AddMessengerProps) {
  if (messengers.length > 0) {
    const hasSlack = messengers.some(({ chat }) => chat === 'slack');
    return (
      <>
        <ConnectLink label={hasSlack ? slackWords.addAnother : slackWords.add} />
        <AddToWorkspace messengers={messengers} />
        {button}
      </>
    );
  }
  return state === 'Loaded' && !arriving ? (
    <>
      <ConnectLink label={slackWords.add} variant={isNext ? 'primary' : 'secondary'} />
      {button}
    </>
  ) : null;
}

function AddToWorkspace({ messengers }: Pick<AddMessengerProps, 'messengers'>) {
  const client = useQueryClient();
  const { mutate, isPending } = useAddMessenger();
  const add = () => {
    if (client.isMutating({ mutationKey: ['messengers', 'add'] }) === 0)
      mutate(currentHandle(messengers));
  };
  return (
    <Button variant="secondary" busy={isPending} onClick={add}>
      Ajouter
    </Button>
  );
}
