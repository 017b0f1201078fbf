import { lazyComponent } from '../../design/lazy-component.ts';

/** The dialog that links a bank by a form. */
export const linkBankDialog = lazyComponent(
  () => import('./LinkBankDialog.tsx'),
  (file) => file.LinkBankDialog,
);

/** What it is opened with to link a bank; the source of a connection edits that one instead. */
export const newBank: { source: string | undefined } = { source: undefined };
