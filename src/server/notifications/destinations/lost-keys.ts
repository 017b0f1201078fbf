import { inTransaction } from '../../platform/database/transactions.ts';
import type { NotificationsDeps } from '../deps.ts';
import { ownCodes } from '../reasons.ts';
import { pauseAfterRefusal } from './pausing.ts';
import { readableSecret } from './queries.ts';

/**
 * Disconnects every destination whose secret no key opens, pauses its notifications and writes to their
 * owner, who links it again. Only for a restored installation: elsewhere a key that is away comes back.
 * Returns how many destinations these are.
 */
export async function disconnectUnreadable(
  deps: Parameters<typeof pauseAfterRefusal>[0] & Pick<NotificationsDeps, 'database' | 'clock'>,
): Promise<number> {
  const destinations = await deps.database.sql
    .selectFrom('destinations')
    .select(['user_id', 'id', 'sealed_secret'])
    .where('state', '=', 'connected')
    .execute();
  const lost = destinations.filter((row) => readableSecret(deps, row) === null);
  for (const { user_id: userId, id: destinationId, sealed_secret: sealedSecret } of lost) {
    const refusal = {
      ...{ userId, destinationId, sealedSecret, isOfMessage: false },
      ...({ kind: 'installation', code: ownCodes.keyLost } as const),
    };
    await inTransaction(deps.database.sql, (transaction) =>
      pauseAfterRefusal(deps, transaction, refusal, deps.clock.now()),
    );
  }
  return lost.length;
}
