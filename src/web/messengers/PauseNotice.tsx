import type { Messenger } from '../../shared/contract/messengers.ts';
import { Button } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { dayAndMonth } from '../time/calendar.ts';
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

function pauseSentence(messenger: Messenger): string | null {
  const { pause, connected, slackTeamName, stopped, pausedUntil } = messenger;
  if (pause) return pause.sentence;
  if (!connected) {
    return `Le bot n'est plus dans l'espace ${slackTeamName}. Reconnectez Slack.`;
  }
  if (stopped) return "En pause, jusqu'à ce que vous repreniez les envois.";
  if (pausedUntil === null) return null;
  const { day, month } = dayAndMonth(new Date(pausedUntil), { zone: null, timeZone: '+0000' });
  return `En pause, reprise le ${day} ${month}.`;
}
