import { sql } from 'kysely';
import { records } from '../../platform/database/records.ts';
import type { Platform } from '../../platform/platform.ts';
import type { DeliveryTicket } from './attempt.ts';
import type { DeliveryLimits } from './limits.ts';

/**
 * In a channel that several notifications share, workers take turns: a message may begin there when
 * none has begun within the gap, in any of them. Returns what has to wait. The embedded database has
 * one worker, whose lanes keep the gap by themselves.
 */
export async function waitingForTurn(
  { database }: Pick<Platform, 'database'>,
  tickets: DeliveryTicket[],
  { channelGapMs }: Pick<DeliveryLimits, 'channelGapMs'>,
): Promise<Set<DeliveryTicket>> {
  const shared = tickets.filter(({ data }) => data.shared);
  if (shared.length === 0 || database.engine === 'embedded') return new Set();
  const rows = shared
    .map(({ data: { teamId, channelId, deliveryId } }) => ({
      ...{ team_id: teamId, method: `channel ${channelId}`, delivery_id: deliveryId },
    }))
    .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const { rows: taken } = await sql<{ delivery_id: string }>`
    with given as materialized (
      select distinct on (team_id, method) *
      from ${records(rows, 'team_id text, method text, delivery_id uuid')}
      order by team_id, method
    ), taken as (
      insert into chat_limits (team_id, method, blocked_until)
      select team_id, method, now() + ${channelGapMs}::int * interval '1 ms' from given
      on conflict (team_id, method) do update set blocked_until = excluded.blocked_until
        where chat_limits.blocked_until <= now()
      returning team_id, method
    )
    select delivery_id from given join taken using (team_id, method)`.execute(database.sql);
  const mine = new Set(taken.map(({ delivery_id: id }) => id));
  return new Set(shared.filter(({ data }) => !mine.has(data.deliveryId)));
}

function keyOf({ team_id, method }: { team_id: string; method: string }): string {
  return `${team_id} ${method}`;
}
