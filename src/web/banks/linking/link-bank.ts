import { chunk } from '../../design/chunk.ts';

/** The dialog that links a bank by a form. */
export const linkBank = chunk(
  () => import('./LinkBank.tsx'),
  (file) => file.LinkBank,
);
