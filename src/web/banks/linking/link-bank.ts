import { chunk } from '../../design/chunk.ts';

/** The dialog that links a bank by a form. */
export const linkBank = chunk(
  () => import('./LinkBank.tsx'),
  (file) => file.LinkBank,
);

/** What it is opened with to link a bank; the source of a connection edits that one instead. */
export const newBank: { source: string | undefined } = { source: undefined };
