import type { UseQueryResult } from '@tanstack/react-query';
import { type ButtonHTMLAttributes, type Ref, type RefObject, useId } from 'react';
import type { Channel, Messenger } from '../../../shared/contract/messengers.ts';
import { failureText } from '../../api/failure.ts';
import { LazyBoundary } from '../../design/ErrorBoundary.tsx';
import { FieldFault } from '../../design/FieldFault.tsx';
import { Icon } from '../../design/Icon.tsx';
import { lazyComponent } from '../../design/lazy-component.ts';
import { RetryCallout } from '../../design/RetryCallout.tsx';
import styles from './ChannelField.module.css';
import { type ChannelListing, useChannels } from './queries.ts';

const picker = lazyComponent(
  () => import('./ChannelPicker.tsx'),
  (file) => file.ChannelPicker,
);

interface ChannelFieldProps {
  messenger: Messenger;
  /** What is chosen on screen. */
  value: Pick<Messenger, 'slackChannel' | 'slackChannelName'>;
  /** Choosing is the next step: the one solid button of its card. */
  isNext: boolean;
  fault: string | null;
  onChange: (choice: { slackChannel: string; slackChannelName: string }) => void;
  button: RefObject<HTMLButtonElement | null>;
  open: boolean;
  onOpen: (open: boolean) => void;
}

export function ChannelField(props: ChannelFieldProps) {
  const { messenger, value, isNext, fault, onChange, button, open, onOpen } = props;
  const id = useId();
  const channels = useChannels(messenger);
  const close = () => onOpen(false);
  return (
    <div className={styles.field}>
      <span id={`${id}-label`} className={styles.label}>
        Channel
      </span>
      <ChannelButton
        ref={button}
        id={id}
        open={open}
        data-next={isNext}
        fault={fault}
        onPointerEnter={picker.preload}
        onFocus={picker.preload}
        onClick={() => onOpen(!open)}
      >
        {chosenText(value, channels.query.data?.channels)}
      </ChannelButton>
      <FieldFault id={`${id}-fault`} text={fault} />
      <ChannelLoading query={channels.query} messenger={messenger} />
      {open && (
        <LazyBoundary onFailure={close}>
          <picker.Component
            id={`${id}-popup`}
            anchor={button}
            channels={channels}
            chosen={value.slackChannel}
            onClose={close}
            onChoose={(channel) =>
              onChange({ slackChannel: channel.id, slackChannelName: channel.name })
            }
          />
        </LazyBoundary>
      )}
    </div>
  );
}

function chosenText(value: ChannelFieldProps['value'], channels: Channel[] | undefined): string {
  if (value.slackChannel === null) return 'Sélectionnez un channel';
  const listed = channels?.find(({ id }) => id === value.slackChannel);
  return `#${listed?.name ?? value.slackChannelName ?? value.slackChannel}`;
}

interface ChannelButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  'data-next': boolean;
  /** The field's id, from which its label's, fault's and list's are made. */
  id: string;
  open: boolean;
  fault: string | null;
  ref: Ref<HTMLButtonElement>;
}

/** Stays the same element before, while and after the list is open, so that it keeps the focus. */
function ChannelButton({ id, open, fault, children, ...rest }: ChannelButtonProps) {
  return (
    <button
      {...rest}
      id={id}
      type="button"
      role="combobox"
      className={`control ${styles.value}`}
      aria-haspopup="dialog"
      aria-expanded={open}
      aria-controls={`${id}-popup`}
      aria-labelledby={`${id}-label ${id}`}
      aria-invalid={fault !== null}
      aria-describedby={fault ? `${id}-fault` : undefined}
    >
      <span>{children}</span>
      <Icon name="chevron" />
    </button>
  );
}

interface ChannelLoadingProps {
  query: UseQueryResult<ChannelListing>;
  messenger: Messenger;
}

function ChannelLoading({ query, messenger: { connected, chatName } }: ChannelLoadingProps) {
  // Of one that is not connected, the card says what to do first.
  if (query.isError && connected) {
    return (
      <RetryCallout
        text={`Les channels n'ont pas pu être chargés. ${failureText(query.error)}`}
        query={query}
      />
    );
  }
  return (
    <p role="status" className={`note ${styles.loading}`}>
      {query.isLoading && 'Chargement des channels…'}
      {query.data?.complete === false &&
        `Liste incomplète\u202f: ${chatName} n'a pas donné tous les channels.`}
    </p>
  );
}
