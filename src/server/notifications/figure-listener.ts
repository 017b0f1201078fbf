import type { FigureListener } from '../banking/deps.ts';
import { watchReplacements } from './alerts/replaced-accounts.ts';
import { eraseFigures } from './deliveries/erasing-figures.ts';
import type { FigureJournal } from './deps.ts';
import { chooseReplacements, forgetChoices, leaveOutCopies } from './messages/account-choices.ts';
import { compareReplacements } from './messages/queries.ts';
import { keepMeaningOfTexts, nameReplacements } from './messages/renamed-accounts.ts';
import { lockSlotsForShare } from './schedule/slot-locks.ts';
import { knowByDays, oweThroughReplacements } from './transactions/renewed-accounts.ts';

/** What becomes of alerts, texts, deliveries and told transactions when figures and accounts change. */
export function createFigureListener({ record, committed }: FigureJournal): FigureListener {
  return {
    record,
    committed,
    renewed: knowByDays,
    async renamed(transaction, userId, accounts) {
      await leaveOutCopies(transaction, userId, accounts);
      await keepMeaningOfTexts(transaction, userId, accounts);
    },
    async replaced(transaction, userId, accounts) {
      // First: it locks the notifications that the others change.
      await watchReplacements(transaction, userId, accounts);
      await chooseReplacements(transaction, userId, accounts);
      await nameReplacements(transaction, userId, accounts);
      await compareReplacements(transaction, userId, accounts);
      await oweThroughReplacements(transaction, userId, accounts);
    },
    async beforeErasure(transaction, userId) {
      await lockSlotsForShare(transaction, userId);
    },
    async erased(transaction, userId, accountIds) {
      await forgetChoices(transaction, userId, accountIds);
      await eraseFigures(transaction, userId, accountIds);
    },
  };
}
