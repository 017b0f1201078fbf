import { chunk } from '../../design/chunk.ts';

/** The dialog that links a bank by a form. */
export const linkBank = chunk(async () => (await import('./LinkBank.tsx')).LinkBank);
