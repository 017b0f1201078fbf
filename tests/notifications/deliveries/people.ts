import type { Insertable, Selectable } from 'kysely';
import { everyDay, nextAtOf } from '../../../src/server/notifications/schedule/next-sending.ts';
import type { Schema } from '../../../src/server/platform/database/schema.ts';
import type { World } from './world.ts';

export const bonnard = { team: 'T0BONNARD', general: 'C0BGENERAL0', treasury: 'C0BTRESOR00' };
export const fontaine = { team: 'T0FONTAINE', general: 'C0FGENERAL0' };

export interface Somebody {
  userId: string;
  destinationId: string;
  team: string;
}

/** A person whose workspace has let the bot in. */
export async function addPerson(world: World, team = bonnard.team): Promise<Somebody> {
  const { database, vault, randomness, clock } = world.services;
  const [userId, destinationId, now] = [randomness.uuid(), randomness.uuid(), clock.now()];
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
  await database.sql
    .insertInto('destinations')
    .values({
      user_id: userId,
      id: destinationId,
      chat: 'slack',
      team_id: team,
      team_name: 'Atelier Bonnard',
      scope: 'bot',
      sealed_secret: vault.seal(
        world.slack.control.install(team),
        `workspaces/${userId}/${destinationId}/token`,
      ),
      state: 'connected',
      created_at: now,
      updated_at: now,
    })
    .execute();
  return { userId, destinationId, team };
}

/** A complete notification: 09:00 in Paris, an hour after the manual clock starts. */
export async function addMessenger(
  world: World,
  { userId, destinationId }: Somebody,
  differences: Partial<Insertable<Schema['messengers']>> = {},
): Promise<Selectable<Schema['messengers']>> {
  const { database, randomness, clock } = world.services;
  const now = clock.now();
  const messenger = {
    ...{ user_id: userId, id: randomness.uuid(), destination_id: destinationId },
    ...{ channel_id: bonnard.general, channel_name: 'général', message: 'Bonjour à tous' },
    ...{ hours: 9, minutes: 0, zone: 'Europe/Paris', offset_minutes: null },
    ...{ planned_on: null, paused_at: null, paused_reason: null, stopped: false },
    ...{ days: everyDay, holidays: null, paused_until: null },
    ...{ created_at: now, updated_at: now },
    ...differences,
  };
  return database.sql
    .insertInto('messengers')
    .values({ next_at: nextAtOf(messenger, now), ...messenger })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The deliveries of a notification, oldest first. */
export function deliveriesOf(world: World, messengerId: string) {
  return world.services.database.sql
    .selectFrom('deliveries')
    .selectAll()
    .where('messenger_id', '=', messengerId)
    .orderBy('due_at')
    .execute();
}

export function messengerNow(world: World, id: string) {
  return world.services.database.sql
    .selectFrom('messengers')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}
