import type { Services } from '../../src/server/app/services.ts';
import { isKnownZone, nextOf } from '../../src/server/notifications/schedule/next-sending.ts';
import { scheduleDueReadings } from '../../src/server/notifications/transactions/work.ts';
import { dayMs } from '../../src/shared/calendar/durations.ts';
import { tellsTransactions } from '../../src/shared/message/variables.ts';
import type { RunningStandin } from '../service/entry.ts';

/** How far the people of the demonstration have come, all of them together. */
export interface Progress {
  hasBank: boolean;
  /** A notification with a channel and a text. */
  hasNotification: boolean;
  /** The latest message of each notification that was sent by itself in the last day of them, newest first. */
  messages: SentMessage[];
}

export interface SentMessage {
  sentAt: Date;
  url: string;
  foundIn: string;
  /** Whose it is, where several people have an account. */
  owner: string | null;
}

const maxMessages = 6;

type Played = Pick<RunningStandin, 'page' | 'chat' | 'channelUrl'>;

/** Reads the product's own tables: its API answers one person at a time. */
export async function progressOf(
  { database, chats }: Pick<Services, 'database' | 'chats'>,
  { standins, mailsUrl }: { standins: readonly Played[]; mailsUrl: string },
): Promise<Progress> {
  const { sql } = database;
  const [bank, notification, sent, { people }] = await Promise.all([
    sql.selectFrom('bank_connections').select('id').limit(1).executeTakeFirst(),
    sql
      .selectFrom('messengers')
      .select('id')
      .where('channel_id', 'is not', null)
      .where('message', '<>', '')
      .limit(1)
      .executeTakeFirst(),
    sql
      .selectFrom('deliveries as d')
      .innerJoin('messengers as m', (join) =>
        join.onRef('m.user_id', '=', 'd.user_id').onRef('m.id', '=', 'd.messenger_id'),
      )
      .innerJoin('destinations as p', (join) =>
        join.onRef('p.user_id', '=', 'm.user_id').onRef('p.id', '=', 'm.destination_id'),
      )
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .select(['p.chat', 'p.team_id', 'p.team_name', 'm.channel_id', 'm.channel_name'])
      .select(['m.id', 'd.due_at', 'd.sent_at', 'u.firstname', 'u.lastname', 'u.email'])
      .where('d.kind', '=', 'daily')
      .where('d.outcome', '=', 'delivered')
      .orderBy('d.due_at', 'desc')
      .orderBy('u.created_at', 'desc')
      .limit(100)
      .execute(),
    sql
      .selectFrom('users')
      .select(({ fn }) => fn.countAll<string>().as('people'))
      .executeTakeFirstOrThrow(),
  ]);
  const latest = latestOf(sent);
  return {
    hasBank: bank !== undefined,
    hasNotification: notification !== undefined,
    messages: latest.map((one) => ({
      sentAt: one.sent_at ?? one.due_at,
      ...placeOf(one, chats, standins, mailsUrl),
      owner: Number(people) > 1 ? userIdOf(one, latest) : null,
    })),
  };
}

interface Sent {
  id: string;
  due_at: Date;
  sent_at: Date | null;
  firstname: string;
  lastname: string;
  email: string;
  chat: string;
  team_id: string;
  team_name: string;
  channel_id: string | null;
  channel_name: string | null;
}

function latestOf(sent: readonly Sent[]): Sent[] {
  const since = (sent[0]?.due_at.getTime() ?? 0) - dayMs;
  return sent
    .filter(({ due_at }) => due_at.getTime() > since)
    .filter(({ id }, at, all) => all.findIndex((one) => one.id === id) === at)
    .slice(0, maxMessages);
}

/** The name, or the address where somebody else has the same name. */
function userIdOf({ firstname, lastname, email }: Sent, all: readonly Sent[]): string {
  const isShared = all.some(
    (one) => one.firstname === firstname && one.lastname === lastname && one.email !== email,
  );
  return isShared ? email : `${firstname} ${lastname}`;
}

function placeOf(
  { chat, team_id: team, team_name, channel_id: channel, channel_name }: Sent,
  chats: Services['chats'],
  standins: readonly Played[],
  mailsUrl: string,
): Pick<SentMessage, 'url' | 'foundIn'> {
  const played = standins.find((one) => one.chat === chat);
  // What is played by no chat of its own is mailed.
  if (!played) return { url: mailsUrl, foundIn: 'la boîte de réception' };
  const channelPage = channel === null ? undefined : played.channelUrl?.({ team, channel });
  // As the application's cards write it.
  const mark = chats.get(chat)?.channels === 'listed' ? '#' : '';
  const foundIn = channel_name === null ? team_name : mark + channel_name;
  return { url: channelPage ?? played.page?.url ?? mailsUrl, foundIn };
}

/** The next moment at which a message of any user is due, as the application's cards say it. */
export async function nextSendingOf({
  database,
  clock,
}: Pick<Services, 'database' | 'clock'>): Promise<Date | null> {
  const rows = await database.sql
    .selectFrom('messengers as m')
    .innerJoin('slots as s', 's.id', 'm.slot_id')
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('deliveries as d')
          .select(['d.local_date as last_date', 'd.due_at'])
          .whereRef('d.user_id', '=', 'm.user_id')
          .whereRef('d.messenger_id', '=', 'm.id')
          .where('d.kind', '=', 'daily')
          .orderBy('d.local_date', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .selectAll('m')
    .selectAll('last')
    .select('s.next_at as slot_next_at')
    .execute();
  const now = clock.now();
  const times = rows
    // Nothing is sent in a zone that this machine does not know.
    .filter(({ zone }) => zone === null || isKnownZone(zone))
    .flatMap((row) => nextOf(row, now)?.at.getTime() ?? []);
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}

/**
 * Whether transactions are still to be read for messages of that sending. Readings that are due begin at
 * once: the worker looks for them only once in a minute.
 */
export async function isReading(
  services: Pick<Services, 'database' | 'queue' | 'clock'>,
  sending: Date,
): Promise<boolean> {
  await scheduleDueReadings(services);
  const unread = await services.database.sql
    .selectFrom('message_operations as o')
    .innerJoin('messengers as m', (join) =>
      join.onRef('m.user_id', '=', 'o.user_id').onRef('m.id', '=', 'o.messenger_id'),
    )
    .select('m.message')
    .where('o.due_at', '=', sending)
    .where('o.sealed', 'is', null)
    .where('m.operations', '<>', 'off')
    .execute();
  return unread.some(({ message }) => tellsTransactions(message));
}

/** Whether a message that is due has not ended yet. */
export async function isSending({ database, clock }: Pick<Services, 'database' | 'clock'>) {
  const row = await database.sql
    .selectFrom('deliveries')
    .select('id')
    .where('outcome', '=', 'pending')
    .where('due_at', '<=', clock.now())
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
