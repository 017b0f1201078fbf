import { type Dispatch, type SetStateAction, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Messenger } from '../../shared/contract/messengers.ts';
import { configuration } from '../api/configuration.ts';
import { useCachedBankDataOrNull } from '../banks/queries.ts';
import { useMedia } from '../browser/media.ts';
import { Avatar } from '../design/Avatar.tsx';
import { Card } from '../design/Card.tsx';
import { DeleteButton } from '../design/DeleteButton.tsx';
import { LazyBoundary } from '../design/ErrorBoundary.tsx';
import { Icon } from '../design/Icon.tsx';
import { IconButton } from '../design/IconButton.tsx';
import { LazyDetails } from '../design/LazyDetails.tsx';
import { lazyComponent } from '../design/lazy-component.ts';
import { dayAndTime, zoneWords } from '../time/calendar.ts';
import { useNow } from '../time/clock.ts';
import { isComplete } from './completeness.ts';
import { outcomeWords } from './deliveries/words.ts';
import styles from './MessengerCard.module.css';
import { MessengerForm } from './MessengerForm.tsx';
import { useMessengerForm } from './messenger-form.ts';
import { isPaused, lacksAccounts, needsAction } from './messenger-state.ts';
import { useDeleteMessenger } from './mutations.ts';
import { NoAccountsNotice } from './NoAccountsNotice.tsx';
import { PauseNotice } from './PauseNotice.tsx';
import { channelWords, followingDays, scheduleSentence } from './schedule-words.ts';

const deliveries = lazyComponent(
  () => import('./deliveries/DeliveryList.tsx'),
  (file) => file.DeliveryList,
);

const alerts = lazyComponent(
  () => import('./alerts/AlertsPanel.tsx'),
  (file) => file.AlertsPanel,
);

const copies = lazyComponent(
  () => import('./CopyDestinations.tsx'),
  (file) => file.CopyDestinations,
);

const missingAccounts = lazyComponent(
  () => import('./message/MissingAccountsNotice.tsx'),
  (file) => file.MissingAccountsNotice,
);

interface MessengerCardProps {
  /** The user's id. */
  owner: string;
  messenger: Messenger;
  /** Its owner has so few that all of them stay open. */
  few: boolean;
  /** The button of its next step is the solid one of the page. */
  hasPrimaryAction: boolean;
  /** Changes the list of the ids of cards with a next step. */
  onUnfinished: Dispatch<SetStateAction<readonly string[]>>;
  onDeleted: () => void;
}

export function MessengerCard(props: MessengerCardProps) {
  const { owner, messenger, few, hasPrimaryAction, onDeleted } = props;
  const form = useMessengerForm(owner, messenger, () => flushSync(() => setOpen(true)));
  const [open, setOpen] = useFolding(few || form.changed || needsAction(messenger));
  useUnfinished(open && form.next !== null, props, form.changed);
  const [previewBox, setPreviewBox] = useState<HTMLElement | null>(null);
  const banks = useCachedBankDataOrNull();
  const isWide = useMedia('(min-width: 768px)');
  const isOne = messenger.channels === 'one';
  const { mutate: remove, isPending: removing } = useDeleteMessenger(messenger.id);
  const subject = `la notification ${destinationWords(messenger)}`;
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
        explanation={`La notification ${destinationWords(messenger)}.`}
        busy={removing}
        onConfirm={() => remove(undefined, { onSuccess: onDeleted })}
      />
    </>
  );
  return (
    <Card
      title={messenger.slackTeamName}
      avatar={
        <Avatar>
          <Icon name={isOne ? 'send' : 'hash'} />
        </Avatar>
      }
      sentence={scheduleSentence(form.values)}
      icons={icons}
      name={messenger.id}
      beside={open ? <div ref={setPreviewBox} className={styles.beside} /> : undefined}
    >
      <div role="status" className="stack">
        {banks &&
          (lacksAccounts(messenger, banks) ? (
            <NoAccountsNotice banks={banks} onChoose={form.openAccounts} />
          ) : (
            /\{\{.*:/.test(messenger.message) && (
              <LazyBoundary onFailure={() => {}}>
                <missingAccounts.Component text={messenger.message} banks={banks} />
              </LazyBoundary>
            )
          ))}
        {isPaused(messenger) && <PauseNotice messenger={messenger} form={form} />}
      </div>
      <Schedule messenger={messenger} next={form.next} brief={!open} />
      <MessengerForm
        messenger={messenger}
        form={form}
        hasPrimaryAction={hasPrimaryAction}
        folded={!open}
        previewBox={isWide ? previewBox : null}
      >
        <LazyDetails summary="Alertes" preload={alerts.preload} keeps>
          {(open) => <alerts.Component messenger={messenger} open={open} />}
        </LazyDetails>
        <LazyDetails summary="Derniers envois" preload={deliveries.preload}>
          {() => <deliveries.Component messenger={messenger} />}
        </LazyDetails>
        <LazyDetails summary="Dupliquer" preload={copies.preload}>
          {() => <copies.Component messenger={messenger} />}
        </LazyDetails>
      </MessengerForm>
    </Card>
  );
}

/** In the list while its next step is on screen, and at the end of it once something is changed. */
function useUnfinished(
  hasStep: boolean,
  { messenger: { id }, onUnfinished }: MessengerCardProps,
  changed: boolean,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft that begins brings it to the end.
  useLayoutEffect(() => {
    if (!hasStep) return;
    onUnfinished((ids) => [...ids, id]);
    return () => onUnfinished((ids) => ids.filter((one) => one !== id));
  }, [id, hasStep, changed, onUnfinished]);
}

/**
 * A card opens by itself once when `asked` becomes true: its notification needs an action, has unsaved
 * changes or is one of few. Afterwards its owner opens and folds it.
 */
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
function destinationWords(messenger: Messenger): string {
  const channel = channelWords(messenger);
  if (messenger.channels === 'one') return channel ?? messenger.slackTeamName;
  return channel ? `${messenger.slackTeamName}, ${channel}` : messenger.slackTeamName;
}

interface ScheduleProps {
  messenger: Messenger;
  /** What is still to be done on the card. */
  next: ReturnType<typeof useMessengerForm>['next'];
  /** Without the days after the next. */
  brief: boolean;
}

/** When it is sent, the next five times, and what became of the last. */
function Schedule({ messenger, next, brief }: ScheduleProps) {
  const now = useNow();
  const { nextDate, nextDates, lastDelivery, hour } = messenger;
  const following = nextDates.slice(1);
  return (
    <div className={`note ${styles.schedule}`}>
      <p>
        {nextDate
          ? `Prochain envoi ${dayAndTime(new Date(nextDate), now, hour)}, ${zoneWords(hour)}`
          : unplannedWords(messenger, next)}
      </p>
      {following.length > 0 && !brief && <p>Puis {followingDays(following, hour)}</p>}
      {configuration.demoUrl && nextDate && !brief && (
        <p>
          {'Démonstration\u202f: '}
          <a href={configuration.demoUrl}>avancer l'horloge</a>
        </p>
      )}
      {lastDelivery && (
        <p data-outcome={lastDelivery.outcome}>
          {`Dernier envoi\u202f: ${outcomeWords(lastDelivery, now, hour)}`}
        </p>
      )}
    </div>
  );
}

/** Why nothing will be sent: what is missing for it, unless the notice of a pause says so. */
function unplannedWords(messenger: Messenger, next: ScheduleProps['next']): string {
  if (isPaused(messenger) || isComplete(messenger)) return 'Aucun envoi prévu';
  if (next === 'channel') return "Choisissez un channel pour programmer l'envoi";
  return "Validez pour programmer l'envoi";
}
