import { type RefObject, useId, useState } from 'react';
import type { Channel, Messenger } from '../../shared/contract/messengers.ts';
import { chunk } from '../application/chunks.ts';
import { PartBoundary } from '../application/PartBoundary.tsx';
import { FieldFault } from '../design/FieldFault.tsx';
import { ChannelButton } from './ChannelButton.tsx';
import styles from './ChannelField.module.css';
import { ChannelLoading } from './ChannelLoading.tsx';
import { useChannels } from './queries.ts';

const picker = chunk(async () => (await import('./ChannelPicker.tsx')).ChannelPicker);

interface ChannelFieldProps {
  messenger: Messenger;
  /** What is chosen on screen. */
  value: Pick<Messenger, 'slackChannel' | 'slackChannelName'>;
  fault: string | null;
  onChange: (choice: { slackChannel: string; slackChannelName: string }) => void;
  button: RefObject<HTMLButtonElement | null>;
}

export function ChannelField({ messenger, value, fault, onChange, button }: ChannelFieldProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const channels = useChannels(messenger);
  return (
    <div className={styles.field}>
      <span id={`${id}-label`} className={styles.label}>
        Channel
      </span>
      <ChannelButton
        ref={button}
        id={id}
        open={open}
        fault={fault}
        onPointerEnter={picker.prepare}
        onFocus={picker.prepare}
        onClick={() => setOpen(!open)}
      >
        {chosenText(value, channels.query.data?.channels)}
      </ChannelButton>
      <FieldFault id={`${id}-fault`} text={fault} />
      <ChannelLoading query={channels.query} />
      {open && (
        <PartBoundary onFailure={() => setOpen(false)}>
          <picker.Part
            id={`${id}-popup`}
            anchor={button}
            channels={channels}
            chosen={value.slackChannel}
            onClose={() => setOpen(false)}
            onChoose={(channel) =>
              onChange({ slackChannel: channel.id, slackChannelName: channel.name })
            }
          />
        </PartBoundary>
      )}
    </div>
  );
}

function chosenText(value: ChannelFieldProps['value'], channels: Channel[] | undefined): string {
  if (value.slackChannel === null) return 'Sélectionnez un channel';
  const listed = channels?.find(({ id }) => id === value.slackChannel);
  return `#${listed?.name ?? value.slackChannelName ?? value.slackChannel}`;
}
