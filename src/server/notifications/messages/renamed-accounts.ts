import { Check } from 'typebox/schema';
import { MessageText } from '../../../shared/contract/texts.ts';
import { withNewNames } from '../../../shared/message/renaming.ts';
import type { FigureListener } from '../../banking/deps.ts';
import { figuresOf } from './figures.ts';

/** Texts go on to mean the account that its owner renames; one that would become too long stays. */
export const renamedAccounts: Pick<FigureListener, 'renamed'> = {
  async renamed(transaction, userId, { id, before }) {
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
      const earlier = accounts.map((one) => (one.id === id ? { ...one, name: before } : one));
      const message = withNewNames(messenger.message, earlier, accounts);
      if (message === messenger.message || !Check(MessageText, message)) continue;
      await transaction
        .updateTable('messengers')
        .set({ message })
        .where('user_id', '=', userId)
        .where('id', '=', messenger.id)
        .execute();
    }
  },
};
