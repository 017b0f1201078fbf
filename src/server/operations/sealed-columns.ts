import { bankSecrets } from '../banking/source-links/queries.ts';
import { mailLinks } from '../identity/mails/outbox.ts';
import { secondFactorSecrets } from '../identity/second-factor/codes.ts';
import { destinationSecrets } from '../notifications/destinations/queries.ts';
import { pendingBankTransactions } from '../notifications/transactions/sealing.ts';
import type { SealedColumn } from '../platform/vault/sealed-columns.ts';
import { deletedBankSecrets } from '../privacy/deletion/banks.ts';
import { deletedSecrets } from '../privacy/deletion/chats.ts';

/** Every sealed column. A rotation reseals them; a test searches the schema for missing ones. */
export const sealedColumns: SealedColumn[] = [
  destinationSecrets,
  deletedSecrets,
  secondFactorSecrets,
  mailLinks,
  bankSecrets,
  deletedBankSecrets,
  pendingBankTransactions,
];
