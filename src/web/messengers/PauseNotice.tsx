import type { Messenger } from '../../shared/contract/messengers.ts';
import { Button } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { SlackLink } from './AddMessenger.tsx';
import { useResumeMessenger } from './mutations.ts';

interface PauseNoticeProps {
  messenger: Messenger;
  onChooseChannel: () => void;
}

/** Why nothing is sent, and the one button that mends it. */
export function PauseNotice({ messenger, onChooseChannel }: PauseNoticeProps) {
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
    return <SlackLink label="Reconnecter Slack" />;
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

function pauseSentence({ pause, connected, slackTeamName }: Messenger): string | null {
  if (pause) return pause.sentence;
  if (connected) return null;
  return `Le bot n'est plus dans l'espace ${slackTeamName}. Reconnectez Slack pour reprendre les envois.`;
}
