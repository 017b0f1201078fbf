import { Combobox } from '@base-ui/react/combobox';
import { Popover } from '@base-ui/react/popover';
import { type RefObject, useRef, useState } from 'react';
import type { Channel } from '../../../shared/contract/messengers.ts';
import { useBackButton } from '../../browser/back-button.ts';
import { Button } from '../../design/Button.tsx';
import { ConfirmationDialog } from '../../design/ConfirmationDialog.tsx';
import { ChannelList, type ListHandle } from './ChannelList.tsx';
import styles from './ChannelPicker.module.css';
import type { useChannels } from './queries.ts';

/** Specification §9, in pixels. */
const popoverGap = 12;
const popoverCollisionPadding = 16;

interface ChannelPickerProps {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  channels: ReturnType<typeof useChannels>;
  /** The chosen channel's id. */
  chosen: string | null;
  onClose: () => void;
  onChoose: (channel: Channel) => void;
}

/** The open list of channels. One shared with another company is only taken after a question. */
export function ChannelPicker(props: ChannelPickerProps) {
  const [external, setExternal] = useState<Channel | null>(null);
  const { anchor, onClose, onChoose } = props;
  function choose(channel: Channel) {
    onChoose(channel);
    onClose();
  }
  if (external) {
    return (
      <ConfirmationDialog
        question={`Envoyer dans #${external.name}\u202f?`}
        explanation="Ce channel est partagé avec une autre entreprise, qui lira vos messages."
        confirm="Choisir ce channel"
        variant="primary"
        opener={anchor.current}
        onClose={onClose}
        onConfirm={() => onChoose(external)}
      />
    );
  }
  return (
    <ChannelPopover
      {...props}
      onChoose={(channel) => (channel.isExternal ? setExternal(channel) : choose(channel))}
    />
  );
}

function ChannelPopover({ id, anchor, onClose, ...list }: ChannelPickerProps) {
  const input = useRef<HTMLInputElement>(null);
  useBackButton(onClose);
  return (
    <Popover.Root
      open
      onOpenChange={(open, details) => {
        // A press on the field itself closes by its own click.
        const target = details.event.target;
        if (target instanceof Node && anchor.current?.contains(target)) return;
        if (!open) onClose();
      }}
    >
      <Popover.Portal>
        <Popover.Backdrop className={styles.backdrop} />
        <Popover.Positioner
          className={styles.positioner}
          anchor={anchor}
          sideOffset={popoverGap}
          collisionPadding={popoverCollisionPadding}
        >
          <Popover.Popup
            id={id}
            className={`surface ${styles.popup}`}
            aria-label="Choisir un channel"
            initialFocus={input}
            finalFocus={anchor}
          >
            <ChannelCombobox input={input} {...list} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface ChannelComboboxProps
  extends Pick<ChannelPickerProps, 'channels' | 'chosen' | 'onChoose'> {
  input: RefObject<HTMLInputElement | null>;
}

function ChannelCombobox({ input, channels, chosen, onChoose }: ChannelComboboxProps) {
  const list = useRef<ListHandle>(null);
  const items = channels.query.data?.channels ?? [];
  return (
    <Combobox.Root
      inline
      open
      virtualized
      autoHighlight
      items={items}
      locale="fr"
      value={items.find(({ id }) => id === chosen) ?? null}
      // As it is written: it is found with its sign and without.
      itemToStringLabel={({ name }: Channel) => `#${name}`}
      onValueChange={(channel: Channel | null) => channel && onChoose(channel)}
      onItemHighlighted={(_channel, { reason, index }) => {
        if (reason === 'pointer' || index < 0) return;
        list.current?.reveal(index, reason === 'keyboard' ? 'shortest' : 'third');
      }}
    >
      <Combobox.Input
        ref={input}
        className={`control ${styles.input}`}
        aria-label="Rechercher"
        placeholder="Rechercher…"
      />
      <Combobox.Empty className={styles.empty}>
        {channels.query.isLoading ? 'Chargement des channels…' : 'Aucun channel trouvé.'}
      </Combobox.Empty>
      <ChannelList ref={list} />
      <PrivateHint channels={channels} />
    </Combobox.Root>
  );
}

function PrivateHint({ channels }: Pick<ChannelPickerProps, 'channels'>) {
  return (
    <div className={`note ${styles.hint}`}>
      <p>{'Channel privé\u202f? Invitez-y le bot.'}</p>
      <Button busy={channels.refreshing} onClick={channels.refresh}>
        Actualiser
      </Button>
    </div>
  );
}
