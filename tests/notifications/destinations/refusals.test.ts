import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AttemptOutcome } from '../../../src/server/notifications/deliveries/attempt.ts';
import { recordOutcomes } from '../../../src/server/notifications/deliveries/recording-outcomes.ts';
import {
  pauseAfterRefusal,
  type Refusal,
} from '../../../src/server/notifications/destinations/pausing.ts';
import { type Databases, startDatabases } from '../../support/engines.ts';
import { untilWaiting } from '../../support/waiting.ts';
import { type Fixture, openFixture } from '../deliveries/fixture.ts';
import { addMessenger, addPerson, bonnard, messengerNow } from '../deliveries/people.ts';

describe('what a chat refuses while its destination changes, on postgres', () => {
  let databases: Databases;
  let fixture: Fixture;

  beforeAll(async () => {
    databases = await startDatabases('postgres');
    fixture = await openFixture(await databases.open());
  });
  afterEach(async () => {
    await sql`truncate users, slots, deliveries cascade`.execute(fixture.services.database.sql);
  });
  afterAll(async () => {
    await fixture.close();
    await databases.close();
  });

  const transaction = () => fixture.services.database.sql.transaction();
  const waiting = (count: number) => untilWaiting(fixture.services.database, count);

  type Kind = 'installation' | 'channel';

  /** Two people of one workspace, in the order of their keys, each with a notification. */
  async function refusedPeople(...kinds: Kind[]) {
    const people = await Promise.all(kinds.map(() => addPerson(fixture)));
    people.sort((one, other) => (one.userId < other.userId ? -1 : 1));
    const now = fixture.clock.now();
    const refused: { id: string; outcome: AttemptOutcome }[] = [];
    for (const [index, person] of people.entries()) {
      const { userId, destinationId } = person;
      const { id: messengerId } = await addMessenger(fixture, person);
      const { sealed_secret: sealedSecret } = await fixture.services.database.sql
        .selectFrom('destinations')
        .select('sealed_secret')
        .where('id', '=', destinationId)
        .executeTakeFirstOrThrow();
      const of = { userId, destinationId, sealedSecret, code: 'is_archived', isOfMessage: true };
      const refusal: Refusal =
        kinds[index] === 'installation'
          ? { ...of, kind: 'installation' }
          : { ...of, kind: 'channel', messengerId, channelId: bonnard.general };
      const key = { userId, messengerId, localDate: '2026-01-12', sequence: 0 };
      const delivery = { ...key, id: messengerId, kind: 'daily', dueAt: now, attempts: 1 } as const;
      refused.push({
        id: messengerId,
        outcome: { delivery, change: null, againAfterSeconds: null, refusal },
      });
    }
    return refused;
  }
  const record = (refused: { outcome: AttemptOutcome }[]) =>
    recordOutcomes(
      fixture.services,
      refused.map(({ outcome }) => outcome),
      fixture.clock.now(),
    );

  it('is written without a deadlock while the bot is removed for all', async () => {
    const refused = await refusedPeople('channel', 'installation');
    const { recording } = await transaction().execute(async (removal) => {
      // As `disconnectTeam`: all destinations, then what posts there.
      await sql`select from destinations order by user_id, id for no key update`.execute(removal);
      const recording = record(refused).then(() => 'written', String);
      await waiting(1);
      await sql`update destinations set state = 'disconnected'`.execute(removal);
      await sql`update messengers set paused_at = now(), paused_reason = 'app_uninstalled'`.execute(
        removal,
      );
      return { recording };
    });
    expect(await recording).toBe('written');
  });

  it('pauses a notification too that is being resumed', async () => {
    const refused = await refusedPeople('installation');
    const [{ id } = { id: '' }] = refused;
    const pause = { paused_at: new Date(), paused_reason: 'is_archived' };
    await fixture.services.database.sql.updateTable('messengers').set(pause).execute();
    const { recording } = await transaction().execute(async (change) => {
      await sql`update messengers set paused_at = null where id = ${id}`.execute(change);
      const recording = record(refused);
      await Promise.race([recording, waiting(1)]);
      return { recording };
    });
    await recording;
    expect((await messengerNow(fixture, id)).paused_at).not.toBeNull();
  });

  it('pauses nothing when the secret is being replaced', async () => {
    const refused = await refusedPeople('channel');
    const [{ id } = { id: '' }] = refused;
    const { recording } = await transaction().execute(async (renewal) => {
      await sql`update destinations set sealed_secret = 'another'`.execute(renewal);
      const recording = record(refused);
      await Promise.race([recording, waiting(1)]);
      return { recording };
    });
    await recording;
    expect((await messengerNow(fixture, id)).paused_at).toBeNull();
  });

  it('is written by two workers at once, each with a channel and then the installation', async () => {
    const { services, clock } = fixture;
    const camille = await addPerson(fixture);
    const messengers = [await addMessenger(fixture, camille), await addMessenger(fixture, camille)];
    const { sealed_secret: sealedSecret } = await services.database.sql
      .selectFrom('destinations')
      .select('sealed_secret')
      .where('user_id', '=', camille.userId)
      .executeTakeFirstOrThrow();
    const { userId, destinationId } = camille;
    const of = { userId, destinationId, sealedSecret, isOfMessage: true };
    const [one, two] = messengers.map(({ id: messengerId }): Refusal => {
      const channel = { messengerId, channelId: bonnard.general };
      return { ...of, ...channel, kind: 'channel', code: 'is_archived' };
    });
    if (!one || !two) throw new Error('no refusal');
    const installation: Refusal = { ...of, kind: 'installation', code: 'token_revoked' };
    const refuse = (refusals: Refusal[], atFirst: () => Promise<unknown>) =>
      transaction().execute(async (worker) => {
        for (const refusal of refusals) {
          await pauseAfterRefusal(services, worker, refusal, clock.now());
          if (refusal === one) await atFirst();
        }
      });
    let other: Promise<unknown> = Promise.resolve();
    const first = refuse([one, installation], async () => {
      other = refuse([two, installation], async () => {}).then(() => 'written', String);
      await waiting(1);
    });
    expect(await first.then(() => 'written', String)).toBe('written');
    expect(await other).toBe('written');
  });
});
