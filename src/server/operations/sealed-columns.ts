import { mailLinks } from '../identity/mails/outbox.ts';
import { secondFactorSecrets } from '../identity/second-factor/codes.ts';
import { workspaceTokens } from '../notifications/destinations/queries.ts';
import type { SealedColumn } from '../platform/vault/sealed-columns.ts';
import { deletedTokens } from '../privacy/deletion/chats.ts';

/** All there are: a change of the key seals these again, and a test finds every other one. */
export const sealedColumns: SealedColumn[] = [
  workspaceTokens,
  deletedTokens,
  secondFactorSecrets,
  mailLinks,
];
