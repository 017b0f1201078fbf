import type { ClientDetails } from '../../providers/banks/connect.ts';
import { BankSourceError } from '../../providers/banks/port.ts';
import type { BankingDeps } from '../deps.ts';
import { scheduleLink } from '../refreshing/work.ts';

/**
 * Reads with what was just kept. It stays kept when the source does not answer now: one more reading is
 * then scheduled.
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
