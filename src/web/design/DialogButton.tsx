import { useState } from 'react';
import { PartBoundary } from './Boundary.tsx';
import { Button, type Look } from './Button.tsx';
import type { chunk } from './chunk.ts';

export interface DialogProps {
  onClose: () => void;
}

interface DialogButtonProps {
  label: string;
  look?: Look;
  dialog: ReturnType<typeof chunk<DialogProps>>;
}

/** A button that opens a dialog of a file of its own, which is fetched when the button is approached. */
export function DialogButton({ label, look = 'plain', dialog }: DialogButtonProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        look={look}
        aria-haspopup="dialog"
        onPointerEnter={dialog.prepare}
        onFocus={dialog.prepare}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {open && (
        <PartBoundary onFailure={close}>
          <dialog.Part onClose={close} />
        </PartBoundary>
      )}
    </>
  );
}
