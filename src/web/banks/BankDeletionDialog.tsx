import type { BankAccount, BankItem } from '../../shared/contract/banks.ts';
import { DeletionDialog } from '../design/ConfirmationDialog.tsx';
import type { DialogProps } from '../design/DialogButton.tsx';
import { useMessagesWithout } from './use-messages-without.ts';

interface BankDeletionDialogProps extends DialogProps {
  connection: BankItem;
  accounts: BankAccount[];
  onConfirm: () => void;
}

/** The question before a bank is deleted, with what it does to the messages. */
export function BankDeletionDialog({ connection, accounts, ...dialog }: BankDeletionDialogProps) {
  const { bank, removal_note: note } = connection;
  const explanation = [
    `${bank.name}, avec tous ses comptes et leurs alertes.`,
    useMessagesWithout(accounts),
    ...(note ? [note] : []),
  ];
  return <DeletionDialog {...dialog} explanation={explanation.join(' ')} />;
}
