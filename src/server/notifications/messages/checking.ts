import type { Kysely, Selectable } from 'kysely';
import type { AccountChoice } from '../../../shared/contract/messengers.ts';
import { checkMessage, hasVariables } from '../../../shared/message/variables.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { notificationErrors } from '../errors.ts';
import { figuresOf } from './figures.ts';

type SavedText = Pick<Selectable<Schema['messengers']>, 'user_id' | 'id' | 'message' | 'variables'>;

/**
 * Checks a text that is to be saved or posted. Throws `Invalid_Messenger` with a sentence for each
 * variable that is unknown or ambiguous. Answers whether its `{{…}}` are to be filled in: an unchanged
 * text keeps the answer that was stored with it, because texts from before variables existed are posted
 * as they are.
 */
export async function checkText(
  database: Kysely<Schema>,
  saved: SavedText,
  text: string,
): Promise<boolean> {
  if (text === saved.message) return saved.variables;
  if (!text.includes('{{')) return false;
  const figures = await figuresOf(database, [{ userId: saved.user_id, messengerId: saved.id }]);
  const faults = checkMessage(text, figures(saved.id).accounts);
  const [first] = faults;
  if (first) {
    throw new ApiError(notificationErrors.Invalid_Messenger, {
      message: first.message,
      details: faults.map(({ message }) => ({ path: '/message', message })),
    });
  }
  return hasVariables(text);
}

interface ResolvedChoice {
  /** The ids of the accounts that the choice covers now. */
  chosen: number[];
  /** Every checking account of the user; `gone_at` is set while its bank does not list it. */
  known: { id: number; gone_at: Date | null }[];
}

/** Looks a choice of accounts up. Throws `Invalid_Messenger` for an account that is not the user's. */
export async function resolveChoice(
  database: Kysely<Schema>,
  userId: string,
  { scope, chosen }: AccountChoice,
): Promise<ResolvedChoice> {
  const known = await database
    .selectFrom('bank_accounts')
    .select(['id', 'gone_at'])
    .where('user_id', '=', userId)
    .where('type', '=', 'checking')
    .execute();
  const ids = new Set(known.map(({ id }) => id));
  if (scope === 'all') return { known, chosen: [...ids] };
  if (chosen.every((id) => ids.has(id))) return { known, chosen };
  throw invalidMessenger('/accounts/chosen', "Un de ces comptes n'existe pas ou plus.");
}

export function invalidMessenger(path: string, message: string): ApiError {
  return new ApiError(notificationErrors.Invalid_Messenger, { details: [{ path, message }] });
}
