import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useState } from 'react';
import { useBackButton } from '../browser/back-button.ts';
import { Button } from './Button.tsx';
import { CopyButton } from './CopyButton.tsx';
import type { DialogProps } from './DialogButton.tsx';
import { NewTabLink } from './NewTabLink.tsx';
import { isFocusRequested } from './requested-focus.ts';
import styles from './Sheet.module.css';

interface SheetProps extends DialogProps {
  title: string;
  children: ReactNode;
  /** Beside the button that closes it. */
  more?: ReactNode;
}

/**
 * A dialog with a form in it: on a phone, a sheet at the foot of the screen, which the way back closes. Once
 * something was typed, a press beside it does not close it any more.
 */
export function Sheet({ title, opener, onClose, children, more }: SheetProps) {
  const [isTypedIn, setTypedIn] = useState(false);
  useBackButton(onClose);
  return (
    <Dialog.Root
      open
      disablePointerDismissal={isTypedIn}
      onOpenChange={(open) => !open && onClose()}
    >
      <Dialog.Portal>
        <Dialog.Backdrop data-modal className={styles.backdrop} />
        <Dialog.Popup
          className={`surface stack ${styles.popup}`}
          onInput={() => setTypedIn(true)}
          finalFocus={() => (isFocusRequested() ? false : opener)}
        >
          <Dialog.Title className={styles.title}>{title}</Dialog.Title>
          {children}
          <div className={styles.foot}>
            {more}
            <Dialog.Close render={<Button />}>Fermer</Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** What can be chosen in it, each a button as wide as the list. */
export function SheetChoices({ children }: { children: ReactNode }) {
  return <ul className={styles.choices}>{children}</ul>;
}

interface SheetChoiceProps {
  avatar?: ReactNode;
  name: string;
  /** A quieter line under the name. */
  note?: ReactNode;
  onChoose: () => void;
}

export function SheetChoice({ avatar, name, note, onChoose }: SheetChoiceProps) {
  return (
    <li>
      <button type="button" className={styles.choice} onClick={onChoose}>
        {avatar}
        <span>
          {name}
          {note && <span className={`note ${styles.note}`}>{note}</span>}
        </span>
      </button>
    </li>
  );
}

/** What to do elsewhere first, one step after the other. */
export function SheetSteps({ steps }: { steps: readonly string[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map((step) => (
        <li key={step}>
          {step
            .split(addresses)
            .map((part, index) => (index % 2 === 0 ? part : <Address key={part} address={part} />))}
        </li>
      ))}
    </ol>
  );
}

/** Every second part of a step that is split by it. */
const addresses = /(https?:\/\/[^\s),]*[^\s),.])/;

/** One of ours is typed in elsewhere; any other is where to go. */
function Address({ address }: { address: string }) {
  if (!address.startsWith(location.origin)) {
    return (
      <NewTabLink href={address} className="">
        {address.replace('https://', '')}
      </NewTabLink>
    );
  }
  return (
    <span className={styles.address}>
      <code>{address}</code>
      <CopyButton text={address} done="L'adresse est copiée" />
    </span>
  );
}
