import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { Messenger } from '../../shared/contract/messengers.ts';
import { useMedia } from '../browser/media.ts';
import { Button } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { Card } from '../design/Card.tsx';
import { chunk } from '../design/chunk.ts';
import { DeleteButton } from '../design/DeleteButton.tsx';
import { Icon } from '../design/Icon.tsx';
import { IconButton } from '../design/IconButton.tsx';
import { LazyDetails } from '../design/LazyDetails.tsx';
import { Mark } from '../design/Mark.tsx';
import { dayAndMonth, dayAndTime, placeWords } from '../time/calendar.ts';
import { useNow } from '../time/clock.ts';
import { ConnectLink } from './chats/slack/ConnectLink.tsx';
import * as chat from './chats/slack/words.ts';
import { outcomeWords } from './deliveries/words.ts';
import { LinkChat } from './linking/LinkChat.tsx';
import styles from './MessengerCard.module.css';
import { MessengerForm } from './MessengerForm.tsx';
import { useMessengerForm } from './messenger-form.ts';
import { needsCare } from './messenger-state.ts';
import { useDeleteMessenger, useResumeMessenger } from './mutations.ts';
import { channelWords, followingDays, rhythmSentence } from './rhythm.ts';

const deliveries = chunk(
  () => import('./deliveries/DeliveryList.tsx'),
  (file) => file.DeliveryList,
);

const copies = chunk(
  () => import('./CopyPlaces.tsx'),
  (file) => file.CopyPlaces,
);

interface MessengerCardProps {
  /** The user's id. */
  owner: string;
  messenger: Messenger;
  /** Its owner has so few that all of them stay open. */
  few: boolean;
  onDeleted: () => void;
}

export function MessengerCard({ owner, messenger, few, onDeleted }: MessengerCardProps) {
  const form = useMessengerForm(owner, messenger, () => flushSync(() => setOpen(true)));
  const [open, setOpen] = useFolding(few || form.changed || needsCare(messenger));
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const isWide = useMedia('(min-width: 768px)');
  const isOne = messenger.channels === 'one';
  const { mutate: remove, isPending: removing } = useDeleteMessenger(messenger.id);
  const subject = `la notification ${placeOf(messenger)}`;
  const icons = (
    <>
      <IconButton
        icon={open ? 'fold' : 'edit'}
        title={open ? 'Replier' : 'Modifier'}
        subject={subject}
        onClick={() => setOpen(!open)}
      />
      <DeleteButton
        subject={subject}
        explanation={`La notification ${placeOf(messenger)}.`}
        busy={removing}
        onConfirm={() => !removing && remove(undefined, { onSuccess: onDeleted })}
      />
    </>
  );
  return (
    <Card
      title={messenger.slackTeamName}
      mark={<Mark>{isOne ? messenger.chatName[0] : <Icon name="hash" />}</Mark>}
      sentence={rhythmSentence(form.values)}
      icons={icons}
      name={messenger.id}
      beside={open ? <div ref={setPlace} className={styles.beside} /> : undefined}
    >
      <PauseNotice messenger={messenger} onChooseChannel={form.openChannels} />
      <Schedule messenger={messenger} brief={!open} />
      <MessengerForm
        messenger={messenger}
        form={form}
        folded={!open}
        previewPlace={isWide ? place : null}
      >
        <LazyDetails summary="Derniers envois" prepare={deliveries.prepare}>
          {() => <deliveries.Part messenger={messenger} />}
        </LazyDetails>
        <LazyDetails summary="Dupliquer" prepare={copies.prepare}>
          {() => <copies.Part messenger={messenger} />}
        </LazyDetails>
      </MessengerForm>
    </Card>
  );
}

/** What asks for care opens the card, once; from then on its owner decides. */
function useFolding(asked: boolean) {
  const [open, setOpen] = useState(asked);
  const [known, setKnown] = useState(asked);
  if (known !== asked) {
    setKnown(asked);
    if (asked) setOpen(true);
  }
  return [open, setOpen] as const;
}

/** Which one of several in the same workspace. */
function placeOf(messenger: Messenger): string {
  const channel = channelWords(messenger);
  if (messenger.channels === 'one') return channel ?? messenger.slackTeamName;
  return channel ? `${messenger.slackTeamName}, ${channel}` : messenger.slackTeamName;
}

interface PauseNoticeProps {
  messenger: Messenger;
  onChooseChannel: () => void;
}

/** Why nothing is sent, and the one button that resumes the sending. */
function PauseNotice({ messenger, onChooseChannel }: PauseNoticeProps) {
  const sentence = pauseSentence(messenger);
  return (
    <div role="status">
      {sentence && (
        <Callout
          look="warning"
          action={<PauseAction messenger={messenger} onChooseChannel={onChooseChannel} />}
        >
          {sentence}
        </Callout>
      )}
    </div>
  );
}

function PauseAction({ messenger, onChooseChannel }: PauseNoticeProps) {
  const { mutate, isPending } = useResumeMessenger(messenger.id);
  if (!messenger.connected || messenger.pause?.action === 'reconnect') {
    return messenger.chat === chat.KIND ? (
      <ConnectLink label={chat.RECONNECT} />
    ) : (
      <LinkChat label="Relier de nouveau" messenger={messenger} />
    );
  }
  if (messenger.pause?.action === 'choose-channel') {
    return <Button onClick={onChooseChannel}>Choisir un autre channel</Button>;
  }
  return (
    <Button busy={isPending} onClick={() => mutate()}>
      Reprendre
    </Button>
  );
}

function pauseSentence(messenger: Messenger): string | null {
  const { pause, connected, slackTeamName, stopped, pausedUntil } = messenger;
  if (pause) return pause.sentence;
  if (!connected) return chat.removedFrom(slackTeamName);
  if (stopped) return "En pause, jusqu'à ce que vous repreniez les envois.";
  if (pausedUntil === null) return null;
  const { day, month } = dayAndMonth(new Date(pausedUntil), { zone: null, timeZone: '+0000' });
  return `En pause, reprise le ${day} ${month}.`;
}

interface ScheduleProps {
  messenger: Messenger;
  /** Without the days after the next. */
  brief: boolean;
}

/** When it is sent, the next five times, and what became of the last. */
function Schedule({ messenger, brief }: ScheduleProps) {
  const now = useNow();
  const { nextDate, nextDates, lastDelivery, hour } = messenger;
  const following = nextDates.slice(1);
  return (
    <div className={`note ${styles.schedule}`}>
      <p>
        {nextDate
          ? `Prochain envoi ${dayAndTime(new Date(nextDate), now, hour)}, ${placeWords(hour)}`
          : 'Aucun envoi prévu'}
      </p>
      {following.length > 0 && !brief && <p>Puis {followingDays(following, hour)}</p>}
      {lastDelivery && (
        <p data-outcome={lastDelivery.outcome}>
          {`Dernier envoi\u202f: ${outcomeWords(lastDelivery, now, hour)}`}
        </p>
      )}
    </div>
  );
}
