import type { Transaction } from 'kysely';
import { Check } from 'typebox/schema';
import { MessageText } from '../../../shared/contract/texts.ts';
import type { Named } from '../../../shared/message/names.ts';
import { withNewNames } from '../../../shared/message/renaming.ts';
import type { RenamedAccount, ReplacedAccount } from '../../banking/deps.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { figuresOf } from './figures.ts';

/**
 * Texts go on to mean the accounts that they named before some were called otherwise, or others of the same
 * name came.
 */
export async function keepMeaningOfTexts(
  transaction: Transaction<Schema>,
  userId: string,
  renamed: RenamedAccount[],
): Promise<void> {
  const before = new Map(renamed.map((one) => [one.id, one.before]));
  await changeTexts(transaction, userId, (text, accounts) => {
    const earlier = accounts.flatMap((one) => {
      const names = before.get(one.id);
      if (names === undefined) return [one];
      return names ? [{ ...one, name: names.name, bank: { name: names.bank } }] : [];
    });
    return withNewNames(text, earlier, accounts);
  });
}

/** Texts that name accounts which are about to be erased name those that stand for them. */
export async function nameReplacements(
  transaction: Transaction<Schema>,
  userId: string,
  replaced: ReplacedAccount[],
): Promise<void> {
  const replacedBy = new Map(replaced.map(({ id, by }) => [id, by]));
  await changeTexts(transaction, userId, (text, accounts) => {
    const staying = accounts.filter(({ id }) => !replacedBy.has(id));
    const erased = replaced.map(({ id, name, bank }) => ({ id, name, bank: { name: bank } }));
    return withNewNames(text, [...staying, ...erased], staying, replacedBy);
  });
}

/** Of texts with variables, with the accounts that are listed. One that would become too long stays. */
async function changeTexts(
  transaction: Transaction<Schema>,
  userId: string,
  change: (text: string, accounts: readonly Named[]) => string,
): Promise<void> {
  const messengers = await transaction
    .selectFrom('messengers')
    .select(['id', 'message'])
    .where('user_id', '=', userId)
    .where('variables', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute();
  const keys = messengers.map((row) => ({ userId, messengerId: row.id }));
  const figures = await figuresOf(transaction, keys);
  for (const messenger of messengers) {
    const message = change(messenger.message, figures(messenger.id).accounts);
    if (message === messenger.message || !Check(MessageText, message)) continue;
    await transaction
      .updateTable('messengers')
      .set({ message })
      .where('user_id', '=', userId)
      .where('id', '=', messenger.id)
      .execute();
  }
}
