import type { Kysely } from 'kysely';
import { checkMessage } from '../../../shared/message/check.ts';
import { hasVariables } from '../../../shared/message/parse.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { notificationErrors } from '../errors.ts';
import { readData } from './data.ts';

interface SavedText {
  user_id: string;
  id: string;
  message: string;
  variables: boolean;
}

/**
 * Whether `{{…}}` in a text is to be filled in. A text that stands as it was saved keeps its
 * meaning, so one written before there were variables keeps its letters. Throws `Invalid_Messenger`
 * with a sentence for each variable that means nothing, or several accounts.
 */
export async function readsVariables(
  database: Kysely<Schema>,
  messenger: SavedText,
  text: string,
): Promise<boolean> {
  if (text === messenger.message) return messenger.variables;
  if (!text.includes('{{')) return false;
  const asked = { userId: messenger.user_id, messengerId: messenger.id, text, chosen: null };
  const [data] = await readData(database, [asked]);
  const faults = checkMessage(text, data?.accounts ?? []);
  const [first] = faults;
  if (first) {
    throw new ApiError(notificationErrors.Invalid_Messenger, {
      message: first.message,
      details: faults.map(({ message }) => ({ path: '/message', message })),
    });
  }
  return hasVariables(text);
}
