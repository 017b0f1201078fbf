import type { AccountTables } from './schema/accounts.ts';
import type { BankTables } from './schema/banks.ts';
import type { DeletionTables } from './schema/deletions.ts';
import type { DeliveryTables } from './schema/deliveries.ts';
import type { DestinationTables } from './schema/destinations.ts';
import type { MailTables } from './schema/mails.ts';
import type { MessengerTables } from './schema/messengers.ts';

/** All tables as they are after the newest migration. */
export interface Schema
  extends AccountTables,
    BankTables,
    DeletionTables,
    DeliveryTables,
    MailTables,
    MessengerTables,
    DestinationTables {}
