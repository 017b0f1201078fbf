import { type MouseEvent, useState } from 'react';
import { Button, type Variant } from './Button.tsx';
import { LazyBoundary } from './ErrorBoundary.tsx';
import type { lazyComponent } from './lazy-component.ts';

export interface DialogProps {
  /** Gets the focus back. */
  opener: HTMLElement | null;
  onClose: () => void;
}

type LazyDialog<OwnProps> = ReturnType<typeof lazyComponent<unknown, DialogProps & OwnProps>>;

/**
 * A dialog in a file of its own, which is fetched when one of its buttons is approached; a press before
 * it has come is kept. `button` makes a button open it, `dialogProps` is what else the dialog needs.
 */
export function useDialog<OwnProps>(lazyDialog: LazyDialog<OwnProps>, dialogProps: OwnProps) {
  const [opener, open] = useState<HTMLElement | null>(null);
  const onClose = () => open(null);
  return {
    open,
    button: {
      'aria-haspopup': 'dialog' as const,
      onPointerEnter: lazyDialog.preload,
      onFocus: lazyDialog.preload,
      onClick: (event: MouseEvent<HTMLElement>) => open(event.currentTarget),
    },
    dialog: opener && (
      <LazyBoundary onFailure={onClose}>
        <lazyDialog.Component {...{ ...dialogProps, opener, onClose }} />
      </LazyBoundary>
    ),
  };
}

interface DialogButtonProps<OwnProps> {
  label: string;
  variant?: Variant;
  lazyDialog: LazyDialog<OwnProps>;
  dialogProps: OwnProps;
}

export function DialogButton<OwnProps>({
  label,
  variant,
  lazyDialog,
  dialogProps,
}: DialogButtonProps<OwnProps>) {
  const { button, dialog } = useDialog(lazyDialog, dialogProps);
  return (
    <>
      <Button {...(variant && { variant })} {...button}>
        {label}
      </Button>
      {dialog}
    </>
  );
}
