import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimNextDue } from '../../../src/server/notifications/deliveries/due.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { migrateTo } from '../../../src/server/platform/database/migrate.ts';
import { dayMs, hourMs } from '../../../src/shared/calendar/durations.ts';
import { type Databases, engines, startDatabases } from '../../support/engines.ts';
import { trustedClock } from '../../support/trusted-clock.ts';
import { type Fixture, openFixture } from '../deliveries/fixture.ts';
import { addMessenger, type SeededPerson } from '../deliveries/people.ts';

describe.each(engines)('notifications from before there were slots, on %s', (engine) => {
  let databases: Databases;
  let fixture: Fixture;
  let camille: SeededPerson;
  // The migration reads the clock of the database.
  const now = new Date();
  const earlier = new Date(Math.floor(now.getTime() / hourMs) * hourMs);
  const later = new Date(earlier.getTime() + 3 * hourMs);

  beforeAll(async () => {
    databases = await startDatabases(engine);
    const database = await databases.openEmpty();
    await migrateTo(database, '0010-chats');
    const userId = '11111111-1111-4111-8111-111111111111';
    await sql`insert into users (id, email, email_key, password_hash, firstname, lastname,
      terms_accepted_at, created_at) values (${userId}, 'camille@exemple.fr', 'camille@exemple.fr',
      '', 'Camille', 'Martin', ${now}, ${now})`.execute(database.sql);
    await sql`insert into destinations (user_id, id, chat, team_id, team_name, scope, sealed_secret,
      state, created_at, updated_at) values (${userId}, 'w1', 'slack', 'T1', 'Atelier', 'bot', 'x',
      'connected', ${now}, ${now})`.execute(database.sql);
    const insert = (message: string, hour: Date, next_at: Date, pausedUntil: Date | null = null) =>
      sql`insert into messengers (user_id, id, destination_id, channel_id, channel_name, message,
        hours, minutes, offset_minutes, next_at, paused_until, created_at, updated_at)
        values (${userId}, gen_random_uuid(), 'w1', 'C1', 'general', ${message},
        ${hour.getUTCHours()}, 0, 0, ${next_at}, ${pausedUntil?.toISOString().slice(0, 10) ?? null},
        ${now}, ${new Date(now.getTime() - dayMs)})`.execute(database.sql);
    const tomorrow = new Date(earlier.getTime() + dayMs);
    const inFiveDays = new Date(later.getTime() + 5 * dayMs);
    await insert('not claimed yet', earlier, earlier);
    await insert('resumed after the sending', earlier, tomorrow);
    await insert('paused', later, inFiveDays, inFiveDays);
    fixture = await openFixture(database);
    camille = { userId, destinationId: 'w1', team: 'T1' };
    fixture.clock.set(now);
  });
  afterAll(async () => {
    await fixture.close();
    await databases.close();
  });

  const claimAll = async () => {
    const texts: string[] = [];
    for (;;) {
      const { deliveries, waitMs } = await claimNextDue(
        fixture.services,
        50,
        deliverySettings,
        trustedClock,
      );
      texts.push(...deliveries.map(({ text }) => text));
      if (waitMs > 0) return texts;
    }
  };

  it('get the day’s message if it was not claimed, and none if they began after it', async () => {
    expect(await claimAll()).toEqual(['not claimed yet']);
  });

  it('hold up no other one that joins them while they are paused', async () => {
    await addMessenger(fixture, camille, {
      ...{ message: 'new', hours: later.getUTCHours(), zone: null, offset_minutes: 0 },
    });
    fixture.clock.set(later);
    expect(await claimAll()).toEqual(['new']);
    const tomorrow = new Date(earlier.getTime() + dayMs);
    fixture.clock.set(tomorrow);
    expect((await claimAll()).sort()).toEqual(['not claimed yet', 'resumed after the sending']);
  });
});
