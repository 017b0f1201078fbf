import type { Insertable, Selectable } from 'kysely';
import type { Actor } from '../../../src/server/identity/sessions/queries.ts';
import { destinationSecrets } from '../../../src/server/notifications/destinations/queries.ts';
import { everyDay, nextOf } from '../../../src/server/notifications/schedule/next-sending.ts';
import { slotFor } from '../../../src/server/notifications/schedule/slots.ts';
import type { Schema } from '../../../src/server/platform/database/schema.ts';
import type { Fixture } from './fixture.ts';

export const bonnard = { team: 'T0BONNARD', general: 'C0BGENERAL0', treasury: 'C0BTRESOR00' };
export const fontaine = { team: 'T0FONTAINE', general: 'C0FGENERAL0' };

export interface SeededPerson {
  userId: string;
  destinationId: string;
  team: string;
}

/** A person for whom something is done without a session. */
export function actorOf({ userId }: Pick<SeededPerson, 'userId'>): Actor {
  return { userId, sessionHash: null };
}

/** A person whose workspace has let the bot in. */
export async function addPerson(fixture: Fixture, team = bonnard.team): Promise<SeededPerson> {
  const { database, randomness, clock } = fixture.services;
  const [userId, now] = [randomness.uuid(), clock.now()];
  const email = `${userId}@exemple.fr`;
  await database.sql
    .insertInto('users')
    .values({
      id: userId,
      email,
      email_key: email,
      password_hash: '',
      firstname: 'Camille',
      lastname: 'Martin',
      terms_accepted_at: now,
      created_at: now,
    })
    .execute();
  const secret = fixture.slack.control.install(team);
  const destinationId = await addDestination(fixture, { userId, team, secret });
  return { userId, destinationId, team };
}

/** A workspace of that person, with the secret that its chat gave for it. */
export async function addDestination(
  { services }: Pick<Fixture, 'services'>,
  { userId, team, secret }: { userId: string; team: string; secret: string },
): Promise<string> {
  const { database, vault, randomness, clock } = services;
  const [id, now] = [randomness.uuid(), clock.now()];
  await database.sql
    .insertInto('destinations')
    .values({
      ...{ user_id: userId, id, chat: 'slack', team_id: team, team_name: 'Atelier Bonnard' },
      sealed_secret: vault.seal(secret, destinationSecrets.additionalData(userId, id)),
      ...{ scope: 'bot', state: 'connected', created_at: now, updated_at: now },
    })
    .execute();
  return id;
}

/** A complete notification: 09:00 in Paris, an hour after the manual clock starts. */
export async function addMessenger(
  fixture: Pick<Fixture, 'services'>,
  { userId, destinationId }: SeededPerson,
  differences: Partial<Insertable<Schema['messengers']>> = {},
): Promise<Selectable<Schema['messengers']>> {
  const { database, randomness, clock } = fixture.services;
  const now = clock.now();
  const messenger = {
    ...{ user_id: userId, id: randomness.uuid(), destination_id: destinationId },
    ...{ channel_id: bonnard.general, channel_name: 'général', message: 'Bonjour à tous' },
    ...{ hours: 9, minutes: 0, zone: 'Europe/Paris', offset_minutes: null },
    ...{ planned_on: null, paused_at: null, paused_reason: null, stopped: false },
    ...{ days: everyDay, holidays: null, paused_until: null },
    ...{ active_since: now, created_at: now, updated_at: now },
    ...differences,
  };
  const { id: slot_id } = await slotFor(database.sql, messenger, now);
  return database.sql
    .insertInto('messengers')
    .values({ slot_id, ...messenger })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The deliveries of a notification, oldest first; of one moment, in the order of their numbers. */
export function deliveriesOf(fixture: Pick<Fixture, 'services'>, messengerId: string) {
  return fixture.services.database.sql
    .selectFrom('deliveries')
    .selectAll()
    .where('messenger_id', '=', messengerId)
    .orderBy('due_at')
    .orderBy('sequence')
    .execute();
}

/** A notification with its next sending and the last day that it is planned for, as of now. */
export async function messengerNow(fixture: Pick<Fixture, 'services'>, id: string) {
  const { database, clock } = fixture.services;
  const now = clock.now();
  const row = await database.sql
    .selectFrom('messengers')
    .innerJoin('slots', 'slots.id', 'messengers.slot_id')
    .selectAll('messengers')
    .select('slots.next_at as slot_next_at')
    .where('messengers.id', '=', id)
    .executeTakeFirstOrThrow();
  const sent = await database.sql
    .selectFrom('deliveries')
    .select(['local_date', 'due_at'])
    .where('messenger_id', '=', id)
    .where('kind', '=', 'daily')
    .orderBy('local_date')
    .execute();
  const tomorrow = new Date(now.getTime() + 86_400_000).toISOString().slice(0, 10);
  const days = [
    ...sent.filter(({ due_at: at }) => at <= now).map(({ local_date: day }) => day),
    ...(row.planned_on && row.planned_on <= tomorrow ? [row.planned_on] : []),
  ].sort();
  const last = { last_date: sent.at(-1)?.local_date ?? null, due_at: sent.at(-1)?.due_at ?? null };
  return {
    ...row,
    next_at: nextOf({ ...row, ...last }, now)?.at ?? null,
    planned_on: days.at(-1) ?? null,
  };
}

/** The sending of its slot is due since this moment, and not claimed. */
export async function makeDue(
  fixture: Pick<Fixture, 'services'>,
  { id, slot_id }: { id: string; slot_id: string },
  at: Date,
): Promise<void> {
  const { sql } = fixture.services.database;
  const day = at.toISOString().slice(0, 10);
  const due = { next_at: at, local_date: day };
  await sql.updateTable('slots').set(due).where('id', '=', slot_id).execute();
  const active_since = new Date(at.getTime() - 1);
  await sql.updateTable('messengers').set({ active_since }).where('id', '=', id).execute();
}
