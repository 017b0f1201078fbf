import { secretPlaceOf } from '../../identity/second-factor/sealing.ts';
import { placeOf } from '../../notifications/destinations/queries.ts';
import { linkPlaceOf } from '../mail/outbox.ts';

/** A column whose values the vault sealed, each for the place that its row's key says. */
export interface SealedColumn {
  table: string;
  column: string;
  key: string[];
  place(...key: string[]): string;
}

/** All there are: a rotation reseals these, and a test finds every other one. */
export const sealedColumns: SealedColumn[] = [
  { table: 'workspaces', column: 'sealed_token', key: ['user_id', 'id'], place: placeOf },
  { table: 'deletion_chats', column: 'sealed_token', key: ['user_id', 'id'], place: placeOf },
  {
    table: 'second_factors',
    column: 'sealed_secret',
    key: ['user_id'],
    place: secretPlaceOf,
  },
  { table: 'mails', column: 'sealed_link', key: ['user_id', 'id'], place: linkPlaceOf },
];
