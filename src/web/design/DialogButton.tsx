import { type MouseEvent, useState } from 'react';
import { PartBoundary } from './Boundary.tsx';
import { Button, type Variant } from './Button.tsx';
import type { chunk } from './chunk.ts';

export interface DialogProps {
  /** Gets the focus back. */
  opener: HTMLElement | null;
  onClose: () => void;
}

type DialogPart<More> = ReturnType<typeof chunk<unknown, DialogProps & More>>;

/**
 * A dialog in a file of its own, which is fetched when one of its buttons is approached; a press before
 * it has come is kept. `button` makes a button open it, `more` is what else the dialog needs.
 */
export function useDialog<More>(part: DialogPart<More>, more: More) {
  const [opener, open] = useState<HTMLElement | null>(null);
  const onClose = () => open(null);
  return {
    open,
    button: {
      'aria-haspopup': 'dialog' as const,
      onPointerEnter: part.prepare,
      onFocus: part.prepare,
      onClick: (event: MouseEvent<HTMLElement>) => open(event.currentTarget),
    },
    dialog: opener && (
      <PartBoundary onFailure={onClose}>
        <part.Part {...{ ...more, opener, onClose }} />
      </PartBoundary>
    ),
  };
}

interface DialogButtonProps<More> {
  label: string;
  variant?: Variant;
  part: DialogPart<More>;
  more: More;
}

export function DialogButton<More>({ label, variant, part, more }: DialogButtonProps<More>) {
  const { button, dialog } = useDialog(part, more);
  return (
    <>
      <Button {...(variant && { variant })} {...button}>
        {label}
      </Button>
      {dialog}
    </>
  );
}
