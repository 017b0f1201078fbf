import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Worker } from '../../../src/server/app/worker.ts';
import { readDeliveryData } from '../../../src/server/notifications/deliveries/composing.ts';
import { claimNextDue } from '../../../src/server/notifications/deliveries/due.ts';
import { outcomeOf } from '../../../src/server/notifications/deliveries/outcome.ts';
import { recordOutcomes } from '../../../src/server/notifications/deliveries/recording-outcomes.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { isOfOtherKey } from '../../../src/server/notifications/destinations/queries.ts';
import { deleteMessenger } from '../../../src/server/notifications/messengers/queries.ts';
import { type Databases, engines, startDatabases } from '../../support/engines.ts';
import { trustedClock } from '../../support/trusted-clock.ts';
import { afterSnapshot, untilWaiting } from '../../support/waiting.ts';
import { eventually, type Fixture, openFixture } from './fixture.ts';
import { addMessenger, addPerson, bonnard, deliveriesOf, fontaine } from './people.ts';

describe.each(engines)('trouble of our own, on %s', (engine) => {
  let databases: Databases;
  let fixture: Fixture;
  let worker: Worker | null = null;
  const lines: string[] = [];

  beforeAll(async () => {
    databases = await startDatabases(engine);
    fixture = await openFixture(await databases.open(), {
      log: pino({}, { write: (line: string) => void lines.push(line) }),
    });
  });
  afterEach(async () => {
    await worker?.stop();
    worker = null;
    await run('truncate users, slots, deliveries cascade');
    fixture.slack.control.clearMessages();
    fixture.clock.set('2026-01-12T07:00:00Z');
    lines.length = 0;
  });
  afterAll(async () => {
    await fixture.close();
    await databases.close();
  });

  const run = (text: string) => sql.raw(text).execute(fixture.services.database.sql);
  const ended = (id: string) =>
    eventually(
      () => deliveriesOf(fixture, id),
      ([first]) => first !== undefined && first.outcome !== 'pending',
    );

  it('pending deliveries are taken up, whatever became of the queue', async () => {
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    fixture.clock.set('2026-01-12T08:00:00Z');
    await claimNextDue(fixture.services, 10, deliverySettings, trustedClock);
    await run('truncate pgboss.job');
    await run("update deliveries set run_at = run_at - interval '45 s'");
    worker = await fixture.startWorker();
    expect(await ended(id)).toMatchObject([{ outcome: 'delivered', attempts: 2, resends: 1 }]);
  });

  it('a message that cannot be composed ends as our fault: nothing was posted', async () => {
    const message = 'Le {{date}}';
    const messenger = await addMessenger(fixture, await addPerson(fixture), {
      ...{ message, variables: true },
    });
    const measure = fixture.services.chats.get('slack')?.capacity?.measure;
    if (!measure) throw new Error('no capacity');
    const broken = vi.spyOn(measure, 'text').mockImplementation(() => {
      throw new Error('no measure');
    });
    onTestFinished(() => broken.mockRestore());
    fixture.clock.set('2026-01-12T08:00:00Z');
    worker = await fixture.startWorker();
    expect(await ended(messenger.id)).toMatchObject([
      { outcome: 'failed', reason: 'not_composed', attempts: 1, resends: 0 },
    ]);
    expect(fixture.slack.control.log()).toHaveLength(0);
  });

  it('a message whose key is away waits for it, and the operator is told at once', async () => {
    const camille = await addPerson(fixture);
    const { id } = await addMessenger(fixture, camille);
    const links = () =>
      fixture.services.database.sql
        .updateTable('destinations')
        .where('user_id', '=', camille.userId);
    const { sealed_secret } = await fixture.services.database.sql
      .selectFrom('destinations')
      .select('sealed_secret')
      .where('user_id', '=', camille.userId)
      .executeTakeFirstOrThrow();
    expect(await isOfOtherKey(fixture.services)).toBe(false);
    await links().set({ sealed_secret: 'sealed with another key' }).execute();
    expect(await isOfOtherKey(fixture.services)).toBe(true);
    fixture.clock.set('2026-01-12T08:00:00Z');
    worker = await fixture.startWorker({ backoffSeconds: () => 0.2 });
    const waiting = () => deliveriesOf(fixture, id);
    // While it is tried its row has no reason.
    const rows = await eventually(
      waiting,
      ([first]) => (first?.attempts ?? 0) > 2 && first?.reason === 'token_unreadable',
    );
    expect(rows).toMatchObject([{ outcome: 'pending' }]);
    expect(lines.filter((line) => line.includes('its messages wait'))).toHaveLength(1);
    await links().set({ sealed_secret }).execute();
    expect(await ended(id)).toMatchObject([{ outcome: 'delivered', resends: 0 }]);
    expect(fixture.slack.control.messages(bonnard.team, bonnard.general)).toHaveLength(1);
    // Stopped with the key away, and started too late: the chat was never asked.
    await links().set({ sealed_secret: 'sealed with another key' }).execute();
    fixture.clock.set('2026-01-13T08:00:00Z');
    await eventually(waiting, ([, second]) => second?.reason === 'token_unreadable');
    await worker.stop();
    fixture.clock.set('2026-01-13T15:00:00Z');
    worker = await fixture.startWorker();
    const both = await eventually(waiting, ([, second]) => second?.outcome !== 'pending');
    expect(both[1]).toMatchObject({ outcome: 'missed', reason: 'token_unreadable' });
  });

  /** Of everyone, or of one person, who has a bank. */
  const refuseReading = async (code: string, userId?: string) => {
    await run('alter table bank_connections rename to real_connections');
    await run(`create or replace function refuse_reading(uuid) returns boolean stable language plpgsql
      as $$ begin ${userId ? `if $1 <> '${userId}' then return true; end if;` : ''}
        raise exception 'no' using errcode = '${code}'; end $$`);
    await run(`create view bank_connections as select * from real_connections
      where refuse_reading(${userId ? 'user_id' : 'null'})`);
  };
  // At one moment: a reading between the two would meet no table at all.
  const allowReading = () =>
    fixture.services.database.sql.transaction().execute(async (transaction) => {
      await sql`drop view bank_connections`.execute(transaction);
      await sql`alter table real_connections rename to bank_connections`.execute(transaction);
    });

  it('values that cannot be read end one message as our fault, and hold up no other', async () => {
    const camille = await addPerson(fixture);
    const plain = await addMessenger(fixture, camille);
    const filled = await addMessenger(fixture, camille, {
      ...{ message: '{{solde}}', variables: true, channel_id: bonnard.treasury },
    });
    await refuseReading('22012');
    fixture.clock.set('2026-01-12T08:00:00Z');
    worker = await fixture.startWorker();
    expect(await ended(plain.id)).toMatchObject([{ outcome: 'delivered', resends: 0 }]);
    expect(await ended(filled.id)).toMatchObject([{ outcome: 'failed', reason: 'not_composed' }]);
    await allowReading();
  });

  it('values that are there and that nothing can read hold up no other, and are not read for ever', async () => {
    const camille = await addPerson(fixture);
    const operations = { message: '{{operations}}', variables: true };
    const unreadable = await addMessenger(fixture, camille, operations);
    const filled = await addMessenger(fixture, camille, {
      ...{ message: '{{solde}}', variables: true, channel_id: bonnard.treasury },
    });
    const { database, vault, clock } = fixture.services;
    const of = { user_id: camille.userId, messenger_id: unreadable.id };
    const sealed = vault.seal('{', `message_operations/${of.user_id}/${of.messenger_id}`);
    await database.sql
      .insertInto('message_operations')
      .values({
        ...of,
        due_at: new Date('2026-01-12T08:00:00Z'),
        scheduled_at: clock.now(),
        sealed,
      })
      .execute();
    fixture.clock.set('2026-01-12T08:00:00Z');
    worker = await fixture.startWorker();
    expect(await ended(filled.id)).toMatchObject([{ outcome: 'delivered', resends: 0 }]);
    expect(await ended(unreadable.id)).toMatchObject([
      { outcome: 'failed', reason: 'not_composed', attempts: 1 },
    ]);
  });

  it('values that the database does not give for a while are read later: nothing was posted', async () => {
    const { id } = await addMessenger(fixture, await addPerson(fixture), {
      ...{ message: '{{solde}}', variables: true },
    });
    await refuseReading('57014');
    fixture.clock.set('2026-01-12T08:00:00Z');
    worker = await fixture.startWorker();
    await eventually(
      () => lines.join(),
      (said) => said.includes('the values of a message cannot be read'),
    );
    await allowReading();
    expect(await ended(id)).toMatchObject([{ outcome: 'delivered', resends: 0 }]);
  });

  it('values that come after the lease has ended are not posted by the worker that had it', async () => {
    if (engine === 'embedded') return;
    const { id } = await addMessenger(fixture, await addPerson(fixture), {
      ...{ message: '{{total}}', variables: true },
    });
    const limits = { leaseMs: 1500, postWithinMs: 500 };
    const workers = [await fixture.startWorker(limits), await fixture.startWorker(limits)];
    await fixture.services.database.sql.transaction().execute(async (transaction) => {
      await sql`lock table bank_connections`.execute(transaction);
      fixture.clock.set('2026-01-12T08:00:00Z');
      await eventually(
        () => deliveriesOf(fixture, id),
        ([first]) => first?.attempts === 2,
      );
    });
    await ended(id);
    for (const one of workers) await one.stop();
    expect(fixture.slack.control.log()).toHaveLength(1);
  });

  it('one person whose values take too long puts off nobody else', async () => {
    const filled = { message: '{{solde}}', variables: true };
    const [camille, dominique] = [await addPerson(fixture), await addPerson(fixture)];
    await run(`insert into bank_connections
        (user_id, source, id, source_id, bank_id, bank_name, state, status, seen_at)
      values ('${camille.userId}', 'bridge', 1, 'x', 1, 'Banque', 'ok', 0, now())`);
    await addMessenger(fixture, camille, filled);
    await addMessenger(fixture, dominique, { ...filled, channel_id: bonnard.treasury });
    fixture.clock.set('2026-01-12T08:00:00Z');
    const claim = async () =>
      (await claimNextDue(fixture.services, 10, deliverySettings, trustedClock)).deliveries;
    const claimed = [...(await claim()), ...(await claim())];
    const inOrder = claimed.sort(({ userId }) => (userId === camille.userId ? -1 : 1));
    await refuseReading('57014', camille.userId);
    const read = await readDeliveryData(fixture.services, inOrder);
    await allowReading();
    expect(inOrder.map(({ id }) => read.get(id))).toEqual(['postponed', expect.any(Object)]);
  });

  it('one outcome that the database refuses holds up no other', async () => {
    const camille = await addPerson(fixture);
    const dominique = await addPerson(fixture, fontaine.team);
    const messengers = [
      await addMessenger(fixture, camille),
      await addMessenger(fixture, camille, { channel_id: bonnard.treasury }),
      await addMessenger(fixture, dominique, { channel_id: fontaine.general }),
    ];
    const ids = messengers.map(({ id }) => id);
    const [refused = '', ...others] = ids;
    await run(`create function refuse_outcome() returns trigger language plpgsql as $$ begin
      if new.outcome = 'delivered' and new.messenger_id = '${refused}'
      then raise exception 'no' using errcode = '23514'; end if; return new; end $$`);
    await run(`create trigger refusing before update on deliveries for each row
      execute function refuse_outcome()`);
    fixture.clock.set('2026-01-12T08:00:00Z');
    worker = await fixture.startWorker();
    for (const id of others) expect(await ended(id)).toMatchObject([{ outcome: 'delivered' }]);
    const [row] = await deliveriesOf(fixture, refused);
    expect(row).toMatchObject({ outcome: 'pending', attempts: 1 });
    await eventually(
      () => lines.join(),
      (said) => said.includes('the database refuses how a delivery ended'),
    );
    await run('drop trigger refusing on deliveries');
  });

  it('a pause and the deletion of its notification wait for each other, and none is lost', async () => {
    if (engine === 'embedded') return;
    const camille = await addPerson(fixture);
    const { id } = await addMessenger(fixture, camille);
    fixture.clock.set('2026-01-12T08:00:00Z');
    const { deliveries } = await claimNextDue(fixture.services, 10, deliverySettings, trustedClock);
    const refusal = { end: 'permanent', kind: 'channel', code: 'is_archived' } as const;
    const now = fixture.clock.now();
    const outcomes = deliveries.map((delivery) => {
      const attempt = {
        ...delivery,
        channelId: delivery.channelId ?? '',
        begunAt: now,
        postBy: 0,
        data: null,
      };
      return outcomeOf(attempt, refusal, { now, settings: deliverySettings, repeat: 'safe' });
    });
    const { sql: database } = fixture.services.database;
    // Deletes as `deleteMessenger` does, with a pause between its statements.
    const deletion = await database.transaction().execute(async (transaction) => {
      await sql`delete from messengers where id = ${id}`.execute(transaction);
      const recording = recordOutcomes(fixture.services, outcomes, now);
      await untilWaiting(fixture.services.database, 1);
      await sql`delete from deliveries where messenger_id = ${id}`.execute(transaction);
      return { recording };
    });
    await deletion.recording;
    expect(await deliveriesOf(fixture, id)).toEqual([]);
  });

  it('no delivery outlives its notification, also while its sending is claimed', async () => {
    const camille = await addPerson(fixture);
    const { id } = await addMessenger(fixture, camille);
    fixture.clock.set('2026-01-12T08:00:00Z');
    await Promise.all([
      claimNextDue(fixture.services, 10, deliverySettings, trustedClock),
      deleteMessenger(fixture.services, camille.userId, id),
    ]);
    expect(await deliveriesOf(fixture, id)).toEqual([]);
  });

  it('a claim that begins while a notification is being deleted does not see it any more', async () => {
    if (engine === 'embedded') return;
    const camille = await addPerson(fixture);
    const { id } = await addMessenger(fixture, camille);
    fixture.clock.set('2026-01-12T08:00:00Z');
    const claim = await afterSnapshot(
      fixture.services.database,
      { table: 'slots', words: 'for no key update skip locked' },
      () => claimNextDue(fixture.services, 10, deliverySettings, trustedClock),
      () =>
        run(`begin; select from real_slots for no key update;
          delete from messengers where id = '${id}';
          delete from deliveries where messenger_id = '${id}'; commit`),
    );
    expect(claim.deliveries).toEqual([]);
    expect(await deliveriesOf(fixture, id)).toEqual([]);
  });
});
