import type { AccountTables } from './schema/accounts.ts';
import type { AlertTables } from './schema/alerts.ts';
import type { BankTables } from './schema/banks.ts';
import type { NotificationTables } from './schema/notifications.ts';

/** All tables as they are after the newest migration. */
export interface Schema extends AccountTables, AlertTables, BankTables, NotificationTables {}
