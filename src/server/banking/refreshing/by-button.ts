import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { ClientDetails } from '../../providers/banks/connect.ts';
import { BankSourceError } from '../../providers/banks/failures.ts';
import { listConnections, type StoredConnection } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { withLink } from '../source-links/with-link.ts';

/**
 * What the button of a connection does: the source asks the bank for newer figures, which are then
 * read. Throws Not_Found for a connection whose source has no such button.
 */
export async function refreshByButton(
  deps: Pick<BankingDeps, 'database' | 'vault' | 'clock' | 'bankSources' | 'bankRefreshes'>,
  userId: string,
  id: number,
  clientDetails: ClientDetails,
): Promise<StoredConnection> {
  const find = async () => (await listConnections(deps, userId)).find((one) => one.id === id);
  const connection = await find();
  if (!connection) throw new ApiError(httpErrors.Not_Found);
  const { source, source_id: sourceId } = connection;
  await withLink(deps, userId, source, async (bankSource, link) => {
    if (!bankSource.refreshNow) throw new ApiError(httpErrors.Not_Found);
    await bankSource.refreshNow(link, sourceId, clientDetails).catch(throwUnlessShown);
  });
  await deps.bankRefreshes.refresh(userId, source, clientDetails);
  const renewed = await find();
  if (!renewed) throw new ApiError(httpErrors.Not_Found);
  return renewed;
}

/** Refused credentials become a state of the connection by the reading that follows. */
function throwUnlessShown(error: unknown): void {
  if (!(error instanceof BankSourceError) || error.kind !== 'credentials') throw error;
}
