import type { Messenger } from '../../shared/contract/messengers.ts';
import { DeliveryHistory } from '../deliveries/DeliveryHistory.tsx';
import { Card } from '../design/Card.tsx';
import { DeleteButton } from '../design/DeleteButton.tsx';
import { MessengerForm } from './MessengerForm.tsx';
import { useMessengerForm } from './messenger-form.ts';
import { useDeleteMessenger } from './mutations.ts';
import { PauseNotice } from './PauseNotice.tsx';
import { Schedule } from './Schedule.tsx';

interface MessengerCardProps {
  /** The user's id. */
  owner: string;
  messenger: Messenger;
  onDeleted: () => void;
}

export function MessengerCard({ owner, messenger, onDeleted }: MessengerCardProps) {
  const form = useMessengerForm(owner, messenger);
  const { mutate: remove, isPending: removing } = useDeleteMessenger(messenger.id);
  const icons = (
    <DeleteButton
      subject={`la notification ${messenger.slackTeamName}`}
      explanation={`La notification ${placeOf(messenger)}.`}
      busy={removing}
      onConfirm={() => !removing && remove(undefined, { onSuccess: onDeleted })}
    />
  );
  return (
    <Card title={messenger.slackTeamName} icons={icons}>
      <PauseNotice messenger={messenger} onChooseChannel={form.openChannels} />
      <MessengerForm messenger={messenger} form={form} />
      <Schedule messenger={messenger} />
      <DeliveryHistory messengerId={messenger.id} hour={messenger.hour} />
    </Card>
  );
}

/** Which one of several in the same workspace. */
function placeOf({ slackTeamName, slackChannelName }: Messenger): string {
  return slackChannelName ? `${slackTeamName}, #${slackChannelName}` : slackTeamName;
}
