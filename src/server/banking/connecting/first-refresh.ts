import type { ClientDetails } from '../../providers/banks/connect.ts';
import { BankSourceError } from '../../providers/banks/failures.ts';
import type { BankingDeps } from '../deps.ts';
import { scheduleLink } from '../refreshing/work.ts';

/**
 * Reads with the credentials that were just stored. They stay stored when the source does not answer: a
 * further reading is then scheduled.
 */
export async function refreshAfterLinking(
  deps: BankingDeps,
  userId: string,
  source: string,
  clientDetails: ClientDetails,
): Promise<void> {
  try {
    await deps.bankRefreshes.refresh(userId, source, clientDetails);
  } catch (error) {
    if (!(error instanceof BankSourceError)) throw error;
    deps.log.warn({ err: error, source }, 'the first reading of a kept access is put off');
    await scheduleLink(deps, { userId, source });
  }
}
