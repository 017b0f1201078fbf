import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useBackButton } from '../browser/back-button.ts';
import { Button, type Variant } from './Button.tsx';
import styles from './ConfirmationDialog.module.css';
import type { DialogProps } from './DialogButton.tsx';

interface ConfirmationDialogProps extends DialogProps {
  question: string;
  explanation?: string;
  confirm: string;
  variant: Variant;
  onConfirm: () => void;
}

interface DeletionDialogProps
  extends Omit<ConfirmationDialogProps, 'question' | 'confirm' | 'variant'> {
  explanation: string;
}

/** The question before anything is deleted (specification §2). */
export function DeletionDialog(props: DeletionDialogProps) {
  return (
    <ConfirmationDialog
      {...props}
      question={'On supprime\u202f? Vraiment\u202f?'}
      confirm="Supprimer"
      variant="danger"
    />
  );
}

export function ConfirmationDialog(props: ConfirmationDialogProps) {
  useBackButton(props.onClose);
  function confirm() {
    props.onClose();
    props.onConfirm();
  }
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && props.onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop data-modal className={styles.backdrop} />
        <AlertDialog.Popup className={`surface ${styles.popup}`} finalFocus={() => props.opener}>
          <AlertDialog.Title className={styles.question}>{props.question}</AlertDialog.Title>
          {props.explanation && (
            <AlertDialog.Description>{props.explanation}</AlertDialog.Description>
          )}
          <div className={styles.answers}>
            <AlertDialog.Close render={<Button />}>Annuler</AlertDialog.Close>
            <Button variant={props.variant} onClick={confirm}>
              {props.confirm}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
