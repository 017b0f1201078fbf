/**
 * A worker on a fresh database. Arguments: the database, `lifted` or `paced`, and one or more
 * `kind,url,count,channels`: so many deliveries of that chat, to so many destinations, all
 * due at one moment.
 * One that ends in `,mute` is not waited for. Prints for each of the others how many arrived, how many a
 * second, also without the last tenth of them, and their lag in ms at the 99th percentile.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { startWorker } from '../../../src/server/app/worker.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { dayMs } from '../../../src/shared/calendar/durations.ts';
import { insertCrowd } from '../../../tests/support/crowd.ts';
import { answer, clockFor, dueAt, readDatabase } from '../arguments.ts';
import { quantile } from '../runs.ts';
import { openBenchServices } from '../services.ts';
import { kinds } from './kinds.ts';

const [where, pace, ...asked] = process.argv.slice(2);
const chats = asked.map((one) => {
  const [kind = '', url = '', count, channels, mute] = one.split(',');
  const chat = kinds[kind];
  if (!chat) throw new Error(`no such chat: ${kind}`);
  return {
    ...{ kind, url, count: Number(count), channels: Number(channels) },
    isMute: mute === 'mute',
    ...chat,
  };
});
/** When all of it is due: far away until everything is filled in. */
let moment = Date.now() + dayMs;
const clock = { now: () => clockFor(moment).now() };
const { services, close } = await openBenchServices(readDatabase(where), '', clock, {
  chats: chats.map(({ configure, url }) => configure(url)),
  standinOrigins: chats.flatMap(({ url }) => (url.startsWith('http') ? [url] : [])),
});
let first = 0;
for (const { kind, url, count, channels, destination } of chats) {
  const from = first;
  await insertCrowd(services, {
    ...{ count, dueAt, first, message: 'Bonjour' },
    destinationFor: (index) => ({ chat: kind, ...destination(url, (index - from) % channels) }),
  });
  first += count;
}
await sql`analyze`.execute(services.database.sql);
const lifted = { channelGapMs: 0, perTeam: 10_000, perSecond: null };
const worker = await startWorker(services, {
  ...deliverySettings,
  ...(pace === 'lifted' && { paceOf: () => lifted }),
});
// The worker looks around for half a second before the moment comes.
moment = Date.now() + 1000;
const watched = chats.filter(({ isMute }) => !isMute);
const total = watched.reduce((sum, { count }) => sum + count, 0);
const until = moment + 90_000;
for (let ended = 0; ended < total && Date.now() < until; ) {
  await sleep(200);
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from deliveries d
    join messengers m on m.user_id = d.user_id and m.id = d.messenger_id
    join destinations e on e.user_id = m.user_id and e.id = m.destination_id
    where d.outcome <> 'pending' and e.chat = any(${watched.map(({ kind }) => kind)})`.execute(
    services.database.sql,
  );
  ended = rows[0]?.n ?? 0;
}
const { rows } = await sql<{ chat: string; sent_at: Date }>`
  select e.chat, d.sent_at from deliveries d
  join messengers m on m.user_id = d.user_id and m.id = d.messenger_id
  join destinations e on e.user_id = m.user_id and e.id = m.destination_id
  where d.outcome = 'delivered' order by d.sent_at`.execute(services.database.sql);
const figures = watched.map(({ kind }) => {
  const lags = rows
    .filter(({ chat }) => chat === kind)
    .map(({ sent_at: at }) => at.getTime() - dueAt.getTime());
  // The first stands for the beginning where a pace parts them.
  const speedOfFirst = (count: number) =>
    pace === 'paced'
      ? (1000 * (count - 1)) / ((lags[count - 1] ?? Number.NaN) - (lags[0] ?? 0))
      : (1000 * count) / (lags[count - 1] ?? Number.NaN);
  return {
    kind,
    arrived: lags.length,
    perSecond: speedOfFirst(lags.length),
    perSecondOfMost: speedOfFirst(Math.floor(0.9 * lags.length)),
    p99: quantile(lags, 0.99),
  };
});
answer(figures);
void worker.stop();
await Promise.race([close(), sleep(1000)]);
process.exit(0);
