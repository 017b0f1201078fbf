import { type Ref, Suspense, useId, useImperativeHandle, useRef, useState } from 'react';
import type { Channel, Messenger } from '../../shared/contract/messengers.ts';
import { chunk } from '../application/chunks.ts';
import { Icon } from '../design/Icon.tsx';
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
  ref: Ref<HTMLButtonElement>;
}

export function ChannelField({ messenger, value, fault, onChange, ref }: ChannelFieldProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useImperativeHandle(ref, () => button.current as HTMLButtonElement);
  const channels = useChannels(messenger);
  return (
    <div className={styles.field}>
      <span id={`${id}-label`} className={styles.label}>
        Channel
      </span>
      <button
        ref={button}
        id={id}
        type="button"
        role="combobox"
        className={styles.value}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={`${id}-popup`}
        aria-labelledby={`${id}-label ${id}`}
        aria-invalid={fault !== null}
        aria-describedby={fault ? `${id}-fault` : undefined}
        onPointerEnter={picker.prepare}
        onFocus={picker.prepare}
        onClick={() => setOpen(!open)}
      >
        <span>{chosenText(value, channels.query.data?.channels)}</span>
        <Icon name="chevron" />
      </button>
      {fault && (
        <p id={`${id}-fault`} className={styles.fault}>
          {fault}
        </p>
      )}
      <ChannelLoading query={channels.query} />
      {open && (
        <Suspense>
          <picker.Part
            id={`${id}-popup`}
            anchor={button}
            channels={channels}
            chosen={value.slackChannel}
            onClose={() => setOpen(false)}
            onChoose={({ id: slackChannel, name }) =>
              onChange({ slackChannel, slackChannelName: name })
            }
          />
        </Suspense>
      )}
    </div>
  );
}

function chosenText(value: ChannelFieldProps['value'], channels: Channel[] | undefined): string {
  if (value.slackChannel === null) return 'Sélectionnez un channel';
  const listed = channels?.find(({ id }) => id === value.slackChannel);
  return `#${listed?.name ?? value.slackChannelName ?? value.slackChannel}`;
}
