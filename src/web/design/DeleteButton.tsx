import { useLocation } from 'wouter';
import { Button } from './Button.tsx';
import { useDialog } from './DialogButton.tsx';
import { IconButton } from './IconButton.tsx';
import { lazyComponent } from './lazy-component.ts';
import { isExternal } from './navigation.ts';

/** The question before a deletion. */
export const deletionDialog = lazyComponent(
  () => import('./ConfirmationDialog.tsx'),
  (file) => file.DeletionDialog,
);

interface DeleteButtonProps {
  subject: string;
  /** What the question is about, in a sentence. */
  explanation: string;
  busy: boolean;
  onConfirm: () => void;
  /** Where to go once it was confirmed. */
  target?: string;
  /** Written on the button, which is otherwise an icon. */
  label?: string | null;
}

/** Asks before it deletes. */
export function DeleteButton(props: DeleteButtonProps) {
  const { subject, explanation, busy, onConfirm, target, label } = props;
  const go = useTarget();
  const { button, dialog } = useDialog(deletionDialog, {
    explanation,
    onConfirm: () => {
      // It may have become so while the question was open.
      if (busy) return;
      onConfirm();
      if (target) go(target);
    },
  });
  return (
    <>
      {label ? (
        <Button {...button} busy={busy}>
          {label}
        </Button>
      ) : (
        <IconButton {...button} busy={busy} icon="delete" title="Supprimer" subject={subject} />
      )}
      {dialog}
    </>
  );
}

/** Specification §9: out of the app when the target starts with http, within it otherwise. */
function useTarget() {
  const [, navigate] = useLocation();
  return (target: string) => (isExternal(target) ? location.assign(target) : navigate(target));
}
