import type { Transaction } from 'kysely';
import { Check } from 'typebox/schema';
import { MessageText } from '../../../shared/contract/texts.ts';
import { withNewNames } from '../../../shared/message/renaming.ts';
import type { RenamedAccount } from '../../banking/deps.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { figuresOf } from './figures.ts';

/**
 * Texts go on to mean the accounts that they named before some were called otherwise, or others of the same
 * name came; one that would become too long stays.
 */
export async function keepMeaningOfTexts(
  transaction: Transaction<Schema>,
  userId: string,
  renamed: RenamedAccount[],
): Promise<void> {
  const before = new Map(renamed.map((one) => [one.id, one.before]));
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
    const { accounts } = figures(messenger.id);
    const earlier = accounts.flatMap((one) => {
      const names = before.get(one.id);
      if (names === undefined) return [one];
      return names ? [{ ...one, name: names.name, bank: { name: names.bank } }] : [];
    });
    const message = withNewNames(messenger.message, earlier, accounts);
    if (message === messenger.message || !Check(MessageText, message)) continue;
    await transaction
      .updateTable('messengers')
      .set({ message })
      .where('user_id', '=', userId)
      .where('id', '=', messenger.id)
      .execute();
  }
}
