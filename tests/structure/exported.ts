import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataExport } from '../../src/shared/contract/exports.ts';

/** The tables whose rows a person's export has, with its part that has them. */
export const exported: Record<string, Exclude<keyof DataExport, 'exportDate'>> = {
  users: 'user',
  second_factors: 'user',
  sessions: 'sessions',
  destinations: 'workspaces',
  mailboxes: 'mailboxes',
  messengers: 'messengers',
  messenger_accounts: 'messengers',
  alerts: 'alerts',
  alert_crossings: 'alerts',
  bank_links: 'sources',
  statement_folders: 'statementFolders',
  bank_connections: 'items',
  bank_accounts: 'accounts',
  mails: 'mails',
  bank_balances: 'balances',
  deliveries: 'deliveries',
};

/** Those that name a person and are not in the export, each with the reason. */
export const leftOut: Record<string, string> = {
  account_links: 'Hashes that open the account; the mails that told the links are in the export.',
  recovery_codes: 'Hashes that pass the second factor.',
  deletions: 'Written as the account is closed: its owner cannot ask for an export any more.',
  deletion_banks: 'Secrets of an account that is closed.',
  deletion_chats: 'Secrets of an account that is closed.',
  bank_connect_sessions: 'Open the way back from the page of a bank, for minutes.',
  bank_reminders: 'Say which mails were sent; the mails are in the export.',
  bank_refreshes: 'Say when a source is asked again; what it answered is in the export.',
  destination_authorizations: 'Open the way back from the page of a chat, for ten minutes.',
  mailbox_tokens: 'Hashes that answer for the owner of an address.',
  slots: 'A cursor over everybody, of whom it names one.',
  message_operations: 'Waits sealed for the next message, and is erased with it.',
  operation_prints: 'Keyed hashes, which say nothing without the bank’s own list.',
  alert_figures: 'Balances of days whose balances are in the export.',
  alert_readings: 'Balances of the last seconds, which are in the export.',
};

const schemaFolder = 'src/server/platform/database/schema';

/** The tables with a column for a person's id, by their types: a block such as `  bank_links: {…  };`. */
export function tablesOfPersons(): string[] {
  const texts = readdirSync(schemaFolder).map((file) =>
    readFileSync(join(schemaFolder, file), 'utf8'),
  );
  return texts.flatMap((text) =>
    [...text.matchAll(/^ {2}([a-z_]+): [^\n]*\{\n(.*?)^ {2}\};/gms)]
      .filter(([, name, columns = '']) => name === 'users' || /^ {4}\w*user\w*: /m.test(columns))
      .map(([, name = '']) => name),
  );
}
