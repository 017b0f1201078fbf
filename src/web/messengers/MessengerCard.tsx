import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { Messenger } from '../../shared/contract/messengers.ts';
import { DeliveryHistory } from '../deliveries/DeliveryHistory.tsx';
import { Card } from '../design/Card.tsx';
import { DeleteButton } from '../design/DeleteButton.tsx';
import { Icon } from '../design/Icon.tsx';
import { IconButton } from '../design/IconButton.tsx';
import { Mark } from '../design/Mark.tsx';
import { MessengerForm } from './MessengerForm.tsx';
import { useMessengerForm } from './messenger-form.ts';
import { useDeleteMessenger } from './mutations.ts';
import { PauseNotice } from './PauseNotice.tsx';
import { needsCare } from './reading.ts';
import { rhythmSentence } from './rhythm.ts';
import { Schedule } from './Schedule.tsx';

interface MessengerCardProps {
  /** The user's id. */
  owner: string;
  messenger: Messenger;
  /** The only one of its owner. */
  alone: boolean;
  onDeleted: () => void;
}

export function MessengerCard({ owner, messenger, alone, onDeleted }: MessengerCardProps) {
  const form = useMessengerForm(owner, messenger, () => flushSync(() => setOpen(true)));
  const [open, setOpen] = useFolding(alone || form.changed || needsCare(messenger));
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
      mark={mark}
      sentence={rhythmSentence(form.values)}
      icons={icons}
    >
      <PauseNotice messenger={messenger} onChooseChannel={form.openChannels} />
      <Schedule messenger={messenger} brief={!open} />
      <MessengerForm messenger={messenger} form={form} folded={!open} />
      {open && <DeliveryHistory messengerId={messenger.id} hour={messenger.hour} />}
    </Card>
  );
}

const mark = (
  <Mark>
    <Icon name="hash" />
  </Mark>
);

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
function placeOf({ slackTeamName, slackChannelName }: Messenger): string {
  return slackChannelName ? `${slackTeamName}, #${slackChannelName}` : slackTeamName;
}
