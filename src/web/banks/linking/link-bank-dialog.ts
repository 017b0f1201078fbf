import type { BankItem } from '../../../shared/contract/banks.ts';
import { lazyComponent } from '../../design/lazy-component.ts';

/** The dialog that links a bank by a form. */
export const linkBankDialog = lazyComponent(
  () => import('./LinkBankDialog.tsx'),
  (file) => file.LinkBankDialog,
);

/** What it is opened with to link a bank; a connection is edited instead. */
export const newBank: { edited: BankItem | undefined } = { edited: undefined };
