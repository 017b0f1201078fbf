import { sql } from 'kysely';
import { destinationSecrets } from '../../src/server/notifications/destinations/queries.ts';
import { everyDay } from '../../src/server/notifications/schedule/next-sending.ts';
import { slotFor } from '../../src/server/notifications/schedule/slots.ts';
import { records } from '../../src/server/platform/database/records.ts';
import type { Platform } from '../../src/server/platform/platform.ts';

export interface CrowdOptions {
  count: number;
  /** When all of them are due. Their hour is this moment's, in UTC. */
  dueAt: Date;
  message?: string;
  /** How many bank accounts each of them has, of two banks; none by default. */
  accounts?: number;
  /** The number of the first of them. */
  first?: number;
  /** Where each of them is written to; in a team of its own of the usual chat by default. */
  destinationFor?: (index: number) => CrowdDestination;
}

export interface CrowdDestination {
  chat: string;
  teamId: string;
  channelId: string;
  secret: string;
}

function usualDestination(index: number): CrowdDestination {
  const teamId = `TCROWD${index}`;
  const secret = `xoxb-${teamId}-secret`;
  return { chat: 'slack', teamId, channelId: `CHANNEL${teamId}`, secret };
}

/**
 * Many people at once, each with a workspace and a complete notification of their own. Their teams
 * are `TCROWD1`, `TCROWD2`…, which the chat's stand-in takes in its open mode.
 */
export async function insertCrowd(
  services: Pick<Platform, 'database' | 'vault' | 'randomness'>,
  {
    count,
    dueAt,
    message = 'Bonjour',
    accounts = 0,
    first = 0,
    destinationFor = usualDestination,
  }: CrowdOptions,
): Promise<void> {
  const userIds = Array.from({ length: count }, () => services.randomness.uuid());
  const slots = await slotsOf(services, userIds, dueAt);
  const people = userIds.map((userId, at) => {
    const index = first + at;
    const destinationId = `w${index}`;
    const { chat, teamId, channelId, secret } = destinationFor(index);
    return {
      user_id: userId,
      id: services.randomness.uuid(),
      slot_id: slots.get(firstDigit(userId)),
      destination_id: destinationId,
      ...{ chat, team_id: teamId, channel_id: channelId },
      sealed_secret: services.vault.seal(
        secret,
        destinationSecrets.additionalData(userId, destinationId),
      ),
    };
  });
  for (let start = 0; start < count; start += 1000) {
    const some = people.slice(start, start + 1000);
    await insert(services, some, dueAt, message);
    if (accounts > 0) await insertAccounts(services, some, dueAt, accounts);
  }
}

/**
 * The slots of these people whose next sending is `dueAt`, by the first digit of the people's ids. An
 * hour has none without people: it would be claimed for nothing.
 */
async function slotsOf(
  { database }: Pick<Platform, 'database'>,
  userIds: string[],
  dueAt: Date,
): Promise<Map<string, string>> {
  const schedule = { hours: dueAt.getUTCHours(), minutes: dueAt.getUTCMinutes(), zone: 'UTC' };
  const days = { offset_minutes: null, days: everyDay, holidays: null };
  const before = new Date(dueAt.getTime() - 1);
  const slots = new Map<string, string>();
  for (const digit of new Set(userIds.map(firstDigit))) {
    const slot = await slotFor(database.sql, { user_id: digit, ...schedule, ...days }, before);
    slots.set(digit, slot.id);
  }
  return slots;
}

function firstDigit(userId: string): string {
  return userId.slice(0, 1);
}

async function insert(
  { database }: Pick<Platform, 'database'>,
  people: object[],
  dueAt: Date,
  message: string,
): Promise<void> {
  const shape = `user_id uuid, id uuid, destination_id text, chat text, team_id text, channel_id text,
    sealed_secret text, slot_id uuid`;
  const created = new Date(dueAt.getTime() - 86_400_000);
  await sql`insert into users (id, email, email_key, password_hash, firstname, lastname,
    terms_accepted_at, created_at) select user_id, user_id || '@exemple.fr', user_id || '@exemple.fr', '',
    'Camille', 'Martin', ${created}::timestamptz, ${created}::timestamptz from ${records(people, shape)}`.execute(
    database.sql,
  );
  await sql`insert into destinations (user_id, id, chat, team_id, team_name,
    scope, sealed_secret, state, created_at, updated_at)
    select user_id, destination_id, chat, team_id, team_id,
    'chat:write', sealed_secret, 'connected', ${created}::timestamptz, ${created}::timestamptz
    from ${records(people, shape)}`.execute(database.sql);
  await sql`insert into messengers (user_id, id, destination_id, channel_id, channel_name, message,
    hours, minutes, zone, slot_id, active_since, variables, created_at, updated_at)
    select user_id, id, destination_id, channel_id, 'général', ${message},
    ${dueAt.getUTCHours()}::int, ${dueAt.getUTCMinutes()}::int, 'UTC', slot_id, ${created}::timestamptz,
    ${message.includes('{{')}::boolean, ${created}::timestamptz, ${created}::timestamptz
    from ${records(people, shape)}`.execute(database.sql);
}

async function insertAccounts(
  { database }: Pick<Platform, 'database'>,
  people: object[],
  dueAt: Date,
  count: number,
): Promise<void> {
  const given = new Date(dueAt.getTime() - 7_200_000);
  await sql`insert into bank_connections (user_id, source, id, source_id, bank_id, bank_name,
    state, status, seen_at)
    select user_id, 'bridge', item, item::text, item, (array['BNP Paribas', 'Crédit Agricole'])[item],
    'ok', 0,
    ${given}::timestamptz
    from ${records(people, 'user_id uuid')}, generate_series(1, 2) item`.execute(database.sql);
  await sql`insert into bank_accounts (user_id, source, id, source_id, connection_id, bank_id, bank_name, name, type,
    currency, balance_minor, updated_at, first_seen_at)
    select user_id, 'bridge', account, account::text, 1 + account % 2, 1 + account % 2,
    (array['BNP Paribas', 'Crédit Agricole'])[1 + account % 2], 'Compte courant ' || account,
    'checking', 'EUR', account * 123457, ${given}::timestamptz, ${given}::timestamptz
    from ${records(people, 'user_id uuid')}, generate_series(1, ${count}::int) account`.execute(
    database.sql,
  );
}
