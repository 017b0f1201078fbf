import { bankSecrets } from '../banking/links/queries.ts';
import { mailLinks } from '../identity/mails/outbox.ts';
import { secondFactorSecrets } from '../identity/second-factor/codes.ts';
import { workspaceTokens } from '../notifications/destinations/queries.ts';
import type { SealedColumn } from '../platform/vault/sealed-columns.ts';
import { deletedTokens } from '../privacy/deletion/chats.ts';

/** Every sealed column. A rotation reseals them; a test searches the schema for missing ones. */
export const sealedColumns: SealedColumn[] = [
  workspaceTokens,
  deletedTokens,
  secondFactorSecrets,
  mailLinks,
  bankSecrets,
];
