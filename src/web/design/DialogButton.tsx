import { type RefObject, useRef, useState } from 'react';
import { PartBoundary } from './Boundary.tsx';
import { Button, type Look } from './Button.tsx';
import type { chunk } from './chunk.ts';

export interface DialogProps {
  /** Gets the focus back. */
  opener?: RefObject<HTMLElement | null>;
  onClose: () => void;
}

interface DialogButtonProps<More> {
  label: string;
  look?: Look;
  dialog: ReturnType<typeof chunk<DialogProps & More>>;
  /** What else the dialog needs. */
  more: More;
}

/** A button that opens a dialog of a file of its own, which is fetched when the button is approached. */
export function DialogButton<More>({ label, look, dialog, more }: DialogButtonProps<More>) {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const onClose = () => setOpen(false);
  return (
    <>
      <Button
        ref={opener}
        {...(look && { look })}
        aria-haspopup="dialog"
        onPointerEnter={dialog.prepare}
        onFocus={dialog.prepare}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {open && (
        <PartBoundary onFailure={onClose}>
          <dialog.Part {...{ ...more, opener, onClose }} />
        </PartBoundary>
      )}
    </>
  );
}
