import { type RawBuilder, sql } from 'kysely';

/** Of what `joinDestination` joins. */
export const destinationColumns = sql`dest.id as destination_id, dest.chat, dest.team_id, dest.state,
  dest.sealed_secret, coalesce(extract(epoch from l.blocked_until - now()), 0)::float8
    as blocked_seconds`;

/** Those of a delivery `f` with its destination, as a `ClaimedDelivery` has them. */
export const claimedColumns = sql`f.user_id as "userId", f.messenger_id as "messengerId", f.text,
  f.variables, f.chart, f.operations <> 'off' as "hasTransactions", f.zone,
  f.offset_minutes as "offsetMinutes", f.channel_id as "channelId",
  f.destination_id as "destinationId", f.chat, f.team_id as "teamId", f.state,
  f.sealed_secret as "sealedSecret", f.blocked_seconds as "blockedSeconds"`;

/** The destination `dest` of `m`, and `l`, the waits that its chat asked for; `channel` is the channel of `m`. */
export function joinDestination(channel: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    join destinations dest on dest.user_id = m.user_id and dest.id = m.destination_id
    left join lateral (
      select max(blocked_until) as blocked_until from chat_limits l where l.chat = dest.chat
        and (l.scope, l.team_id, l.channel_id) in (('service', '', ''),
          ('team', dest.team_id, ''), ('channel', dest.team_id, ${channel}))
    ) l on true`;
}
