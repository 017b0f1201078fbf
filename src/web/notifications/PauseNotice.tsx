import type { Messenger } from '../../shared/contract/messengers.ts';
import { Button } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { longDay, utc } from '../time/calendar.ts';
import { now } from '../time/clock.ts';
import { ConnectLink } from './chats/slack/ConnectLink.tsx';
import * as slackWords from './chats/slack/words.ts';
import { LinkChatButton } from './linking/LinkChatButton.tsx';
import type { useMessengerForm } from './messenger-form.ts';

interface PauseNoticeProps {
  messenger: Messenger;
  form: ReturnType<typeof useMessengerForm>;
}

/** Why nothing is sent, and the one button that resumes the sending. */
export function PauseNotice(props: PauseNoticeProps) {
  return (
    <Callout variant="warning" action={<PauseAction {...props} />}>
      {pauseSentence(props.messenger)}
    </Callout>
  );
}

function PauseAction({ messenger, form }: PauseNoticeProps) {
  const action = messenger.pause?.action;
  if (!messenger.connected || action === 'reconnect') {
    return messenger.chat === slackWords.kind ? (
      <ConnectLink label={slackWords.reconnect} />
    ) : (
      <LinkChatButton
        label={(action === 'choose-destination' && messenger.relinkLabel) || 'Relier de nouveau'}
        messenger={messenger}
      />
    );
  }
  if (action === 'choose-channel') {
    return <Button onClick={form.openChannels}>Choisir un autre channel</Button>;
  }
  return (
    <Button busy={form.resuming} onClick={form.resume}>
      Reprendre
    </Button>
  );
}

function pauseSentence(messenger: Messenger): string | null {
  const { pause, connected, stopped, pausedUntil } = messenger;
  if (pause) return pause.sentence;
  if (!connected) return "Cette messagerie n'est plus reliée. Reliez-la de nouveau.";
  if (stopped) return "En pause, jusqu'à ce que vous repreniez les envois.";
  if (pausedUntil === null) return null;
  return `En pause, reprise le ${longDay(pausedUntil, utc, now())}.`;
}
