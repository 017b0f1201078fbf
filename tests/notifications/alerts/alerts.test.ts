import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Worker } from '../../../src/server/app/worker.ts';
import { bankRefreshJobs } from '../../../src/server/banking/jobs.ts';
import { scheduleDue } from '../../../src/server/banking/refreshing/work.ts';
import { lookAtAlerts } from '../../../src/server/notifications/alerts/looking.ts';
import { prepareToRun } from '../../../src/server/operations/backup/restoring.ts';
import { runHourlyUpkeep } from '../../../src/server/operations/upkeep/hourly.ts';
import { plain } from '../../shared/message/setting.ts';
import { type Databases, engines, startDatabases } from '../../support/engines.ts';
import {
  addMessenger,
  addPerson,
  bonnard,
  deliveriesOf,
  type Somebody,
} from '../deliveries/people.ts';
import { eventually, openWorld, type World } from '../deliveries/world.ts';
import { type Said, type Watched, watch } from './watched.ts';

describe.each(engines)('alerts, on %s', (engine) => {
  let databases: Databases;
  let world: World;
  let worker: Worker | null;
  let camille: Somebody;
  let bank: Watched;
  let messenger: Awaited<ReturnType<typeof addMessenger>>;

  beforeAll(async () => {
    databases = await startDatabases(engine);
    world = await openWorld(await databases.open());
  });
  beforeEach(async () => {
    // A Monday, 10:00 in Paris.
    world.clock.set('2026-01-12T09:00:00Z');
    camille = await addPerson(world);
    bank = await watch(world, camille);
    messenger = await addMessenger(world, camille);
    worker = null;
  });
  afterEach(async () => {
    await worker?.stop();
    await sql`truncate users, slots, deliveries cascade`.execute(world.services.database.sql);
    world.slack.control.clearMessages();
    world.slack.control.clearFaults();
  });
  afterAll(async () => {
    await world.close();
    await databases.close();
  });

  const work = async () => {
    worker = await world.startWorker();
  };
  const posted = () =>
    world.slack.control.messages(bonnard.team, bonnard.general).map(({ text }) => plain(text));
  const alertsSent = async () =>
    (await deliveriesOf(world, messenger.id)).filter(({ kind }) => kind === 'alert');
  const sent = (count: number) =>
    eventually(
      alertsSent,
      (rows) => rows.filter((row) => row.outcome !== 'pending').length === count,
    );
  /** The journal is empty: everything that was read was looked at. */
  const looked = () =>
    eventually(
      () => world.services.database.sql.selectFrom('alert_readings').selectAll().execute(),
      (rows) => rows.length === 0,
    );
  const crossings = () =>
    world.services.database.sql.selectFrom('alert_crossings').selectAll().orderBy('id').execute();
  const later = async (minutes: number, said: Record<string, Said>) => {
    world.clock.advance({ minutes });
    await bank.read(said);
  };

  it('a crossing is posted at once where the notification posts, and told once', async () => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await work();
    await later(60, { Courant: { balance: 432.1, asOf: '2026-01-12T09:55:00Z' } });
    expect(await sent(1)).toMatchObject([
      { kind: 'alert', outcome: 'delivered', local_date: '2026-01-12', sequence: 1, figures: null },
    ]);
    expect(posted()).toEqual([
      'Courant (Banque du Littoral) est passé sous 500,00 € : 432,10 €, il y a 5 minutes.',
    ]);
    await later(60, { Courant: 300 });
    await later(60, { Courant: 524.99 });
    await later(60, { Courant: 400 });
    await looked();
    await later(60, { Courant: 525 });
    await later(60, { Courant: 499.99 });
    await sent(2);
    expect(posted()).toHaveLength(2);
  });

  it('crossings of one reading are one message, and never the daily one', async () => {
    await bank.read({ Courant: 800, Joint: 900 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await bank.alert(messenger.id, { kind: 'movement', amount: 300 });
    await bank.alert(messenger.id, { kind: 'below', amount: 1500 });
    await work();
    await later(60, { Courant: 400, Joint: 900 });
    await sent(1);
    expect(posted()).toEqual([
      [
        "• Courant (Banque du Littoral) est passé sous 500,00 € : 400,00 €, à l'instant.",
        "• Courant (Banque du Littoral) : mouvement de −400,00 €, le solde est de 400,00 €, à l'instant.",
        "• Le total de 2 comptes est passé sous 1 500,00 € : 1 300,00 € (solde le plus ancien : à l'instant).",
      ].join('\n'),
    ]);
    world.clock.set('2026-01-13T08:00:00Z');
    const rows = await eventually(
      () => deliveriesOf(world, messenger.id),
      (all) => all.filter(({ outcome }) => outcome === 'delivered').length === 2,
    );
    expect(rows.map(({ kind, sequence }) => [kind, sequence])).toEqual([
      ['alert', 1],
      ['daily', 0],
    ]);
  });

  it('what is found at night waits for one summary at 07:00, without a daily message', async () => {
    await world.services.database.sql.updateTable('messengers').set({ message: '' }).execute();
    await bank.read({ Courant: 800, Joint: 900 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Joint' });
    await work();
    world.clock.set('2026-01-12T21:30:00Z');
    await bank.read({ Courant: 100, Joint: 900 });
    world.clock.set('2026-01-13T02:00:00Z');
    await bank.read({ Courant: 100, Joint: 200 });
    await looked();
    expect(await crossings()).toMatchObject([
      { delivery_id: null, release_at: new Date('2026-01-13T06:00:00Z') },
      { delivery_id: null, release_at: new Date('2026-01-13T06:00:00Z') },
    ]);
    expect(await alertsSent()).toEqual([]);
    world.clock.set('2026-01-13T06:00:00Z');
    await sent(1);
    expect(posted()).toEqual([
      [
        'Vos alertes de la nuit et de la veille :',
        '• Courant (Banque du Littoral) est passé sous 500,00 € : 100,00 €, hier à 22:30.',
        "• Joint (Banque du Littoral) est passé sous 500,00 € : 200,00 €, aujourd'hui à 03:00.",
      ].join('\n'),
    ]);
  });

  it('beyond three in a day for an account, the rest waits for the next summary', async () => {
    await bank.read({ Courant: 1000, Joint: 1000 });
    await bank.alert(messenger.id, { kind: 'movement', amount: 100, account: 'Courant' });
    await bank.alert(messenger.id, { kind: 'movement', amount: 100, account: 'Joint' });
    await work();
    for (const balance of [800, 1000, 800, 1000, 800]) {
      await later(30, { Courant: balance, Joint: 1000 });
      await looked();
    }
    await later(30, { Courant: 800, Joint: 5 });
    await sent(4);
    expect((await crossings()).map(({ release_at }) => release_at !== null)).toEqual([
      ...[false, false, false, true, true, false],
    ]);
    world.clock.set('2026-01-13T06:00:10Z');
    await sent(5);
    expect(posted().at(-1)?.split('\n')).toHaveLength(3);
    await later(60, { Courant: 1000, Joint: 5 });
    await sent(6);
  });

  it('old figures, a first reading and what is no reading of a source tell nothing', async () => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await bank.alert(messenger.id, { kind: 'movement', amount: 50 });
    await later(31 * 60, { Courant: { balance: 400, asOf: '2026-01-12T09:30:00Z' }, Neuf: 5 });
    await later(60, { Courant: { balance: null, asOf: '2026-01-13T17:00:00Z' }, Neuf: 5 });
    await lookAtAlerts(world.services, camille.userId);
    expect(await crossings()).toEqual([]);
    // Still under the amount: now it may be told. It has not moved.
    await later(60, { Courant: 400, Neuf: 5 });
    await lookAtAlerts(world.services, camille.userId);
    expect(await crossings()).toMatchObject([{ balance_minor: 40_000, change_minor: null }]);
  });

  it('a notification in pause tells nothing; what still holds afterwards is told', async () => {
    await bank.read({ Courant: 800, Joint: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Joint' });
    await bank.alert(messenger.id, { kind: 'movement', amount: 100 });
    const pause = (paused_until: string | null) =>
      world.services.database.sql.updateTable('messengers').set({ paused_until }).execute();
    await pause('2026-01-13');
    await later(60, { Courant: 400, Joint: 400 });
    await lookAtAlerts(world.services, camille.userId);
    await later(60, { Courant: 400, Joint: 800 });
    await lookAtAlerts(world.services, camille.userId);
    expect(await crossings()).toEqual([]);
    world.clock.set('2026-01-13T09:00:00Z');
    await bank.read({ Courant: 400, Joint: 800 });
    await lookAtAlerts(world.services, camille.userId);
    expect(await crossings()).toMatchObject([{ balance_minor: 40_000, change_minor: null }]);
  });

  it.each([
    ['stopped', { stopped: true }],
    ['paused by a refusal', { paused_at: new Date(), paused_reason: 'is_archived' }],
    ['without a channel', { channel_id: null }],
  ])('nothing is written for a notification that is %s', async (_name, change) => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await world.services.database.sql.updateTable('messengers').set(change).execute();
    await later(60, { Courant: 400 });
    await lookAtAlerts(world.services, camille.userId);
    expect(await crossings()).toEqual([]);
    expect(await alertsSent()).toEqual([]);
  });

  it('paused between the finding and the sending, the alert ends with its reason', async () => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await later(60, { Courant: 400 });
    await lookAtAlerts(world.services, camille.userId);
    await world.services.database.sql.updateTable('messengers').set({ stopped: true }).execute();
    await work();
    expect(await sent(1)).toMatchObject([{ outcome: 'failed', reason: 'paused' }]);
  });

  it('an alert that was deleted before it was sent tells nothing, and the list says why', async () => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await later(60, { Courant: 400 });
    await lookAtAlerts(world.services, camille.userId);
    await world.services.database.sql.deleteFrom('alerts').execute();
    await work();
    expect(await sent(1)).toMatchObject([{ outcome: 'cancelled', reason: 'alert_deleted' }]);
    expect(posted()).toEqual([]);
  });

  it('a chat that is away is tried again, as for a daily message', async () => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    world.slack.control.addFault({ kind: 'error', code: 'service_unavailable' });
    await work();
    await later(60, { Courant: 400 });
    expect(await sent(1)).toMatchObject([{ outcome: 'delivered', attempts: 2 }]);
  });

  it('an account keeps its alert under another id of its source, and takes it along when it goes', async () => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    bank.renew();
    await later(60, { Courant: 400 });
    await lookAtAlerts(world.services, camille.userId);
    expect(await crossings()).toHaveLength(1);
    await world.services.database.sql.deleteFrom('bank_connections').execute();
    const { sql: database } = world.services.database;
    for (const table of ['alerts', 'alert_figures', 'alert_crossings', 'alert_readings'] as const) {
      expect(await database.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  it('a look that breaks off halfway is made again, and tells once', async () => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await later(60, { Courant: 400 });
    const broken = {
      ...world.services,
      randomness: {
        ...world.services.randomness,
        uuid: () => {
          throw new Error('broken off');
        },
      },
    };
    await expect(lookAtAlerts(broken, camille.userId)).rejects.toThrow('broken off');
    expect(await crossings()).toEqual([]);
    await lookAtAlerts(world.services, camille.userId);
    await lookAtAlerts(world.services, camille.userId);
    expect(await crossings()).toHaveLength(1);
    expect(await alertsSent()).toHaveLength(1);
  });

  it('a restored installation sends none of what may have been told, and goes on', async () => {
    await bank.read({ Courant: 800, Joint: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Joint' });
    world.clock.set('2026-01-12T22:00:00Z');
    await bank.read({ Courant: 400, Joint: 800 });
    await lookAtAlerts(world.services, camille.userId);
    world.clock.set('2026-01-13T09:00:00Z');
    await prepareToRun(world.services);
    expect(await alertsSent()).toMatchObject([{ outcome: 'uncertain', reason: 'restored' }]);
    await later(60, { Courant: 400, Joint: 400 });
    await lookAtAlerts(world.services, camille.userId);
    expect(await alertsSent()).toHaveLength(2);
  });

  it('a clock that ran ahead keeps no summary back, and what was told is forgotten after days', async () => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    world.clock.set('2026-06-01T22:30:00Z');
    await bank.read({ Courant: 400 });
    await lookAtAlerts(world.services, camille.userId);
    expect(await crossings()).toMatchObject([{ delivery_id: null }]);
    world.clock.set('2026-01-12T10:00:00Z');
    await work();
    await sent(1);
    await runHourlyUpkeep(world.services);
    expect(await crossings()).toHaveLength(1);
    await world.services.database.sql
      .updateTable('alert_crossings')
      .set({ created_at: new Date('2026-01-09T09:00:00Z') })
      .execute();
    await runHourlyUpkeep(world.services);
    expect(await crossings()).toEqual([]);
  });

  it('accounts with an alert are read every hour from 07:00 to 22:00, and no others', async () => {
    const scheduled = async (at: string) => {
      world.clock.set(at);
      const deps = { ...world.services, banks: bank.banks };
      while ((await scheduleDue(deps)) > 0);
      const jobs = await world.services.queue.fetch(bankRefreshJobs, 100);
      await world.services.queue.clear(bankRefreshJobs);
      await world.services.database.sql
        .updateTable('bank_refreshes')
        .set({ scheduled_at: null })
        .execute();
      return jobs.filter(({ data }) => data.userId === camille.userId).length;
    };
    await bank.read({ Courant: 800 });
    expect(await scheduled('2026-01-12T14:00:00Z')).toBe(0);
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    expect(await scheduled('2026-01-12T14:00:00Z')).toBe(1);
    await bank.read({ Courant: 800 });
    expect(await scheduled('2026-01-12T14:54:00Z')).toBe(0);
    expect(await scheduled('2026-01-12T14:56:00Z')).toBe(1);
    expect(await scheduled('2026-01-12T20:59:00Z')).toBe(1);
    expect(await scheduled('2026-01-12T21:00:00Z')).toBe(0);
    expect(await scheduled('2026-01-13T05:59:00Z')).toBe(0);
    expect(await scheduled('2026-01-13T06:50:00Z')).toBe(1);
    const { database } = world.services;
    await database.sql.updateTable('messengers').set({ zone: 'Asia/Tokyo' }).execute();
    expect(await scheduled('2026-01-13T14:00:00Z')).toBe(0);
    expect(await scheduled('2026-01-13T23:00:00Z')).toBe(1);
    await database.sql.updateTable('messengers').set({ stopped: true }).execute();
    expect(await scheduled('2026-01-13T23:30:00Z')).toBe(0);
  });

  const step = fc.record({
    minutes: fc.integer({ min: 20, max: 600 }),
    balances: fc.tuple(fc.constantFrom(300, 450, 510, 530, 900), fc.constantFrom(100, 400, 800)),
    /** How many readings go by before the alerts look, and how many workers do at once. */
    looks: fc.constantFrom(0, 1, 2),
  });

  it('no crossing is lost and none is told twice, for any series of readings and looks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        world.clock.set('2026-01-12T09:00:00Z');
        const person = await addPerson(world);
        const accounts = await watch(world, person);
        const { id } = await addMessenger(world, person);
        await accounts.read({ A: 900, B: 800 });
        await accounts.alert(id, { kind: 'below', amount: 500, account: 'A' });
        await accounts.alert(id, { kind: 'movement', amount: 350, account: 'B' });
        await accounts.alert(id, { kind: 'below', amount: 1000 });
        const expected: string[] = [];
        const [first, sum] = [oracleOf(500), oracleOf(1000)];
        let [before, skipped] = [800, 0];
        for (const { minutes, balances, looks } of steps) {
          const [a, b] = balances;
          world.clock.advance({ minutes });
          await accounts.read({ A: a, B: b });
          if (first(a)) expected.push(`A ${a}`);
          if (Math.abs(b - before) > 350) expected.push(`B ${b}`);
          if (sum(a + b)) expected.push(`total ${a + b}`);
          before = b;
          // What is looked at a day later is too old to be told.
          skipped = looks === 0 ? skipped + 1 : 0;
          await Promise.all(
            Array.from({ length: skipped === 2 ? 1 : looks }, () =>
              lookAtAlerts(world.services, person.userId),
            ),
          );
          if (skipped === 2) skipped = 0;
        }
        await lookAtAlerts(world.services, person.userId);
        world.clock.advance({ days: 2 });
        await lookAtAlerts(world.services, person.userId);
        // A summary that is due at night waits for the morning.
        world.clock.advance({ hours: 12 });
        await lookAtAlerts(world.services, person.userId);
        const told = await world.services.database.sql
          .selectFrom('alert_crossings as c')
          .leftJoin('bank_accounts as a', (on) =>
            on.onRef('a.user_id', '=', 'c.user_id').onRef('a.id', '=', 'c.account_id'),
          )
          .innerJoin('deliveries as d', 'd.id', 'c.delivery_id')
          .select(['a.name', 'c.balance_minor'])
          .where('c.user_id', '=', person.userId)
          .execute();
        const written = told.map(
          ({ name, balance_minor }) => `${name ?? 'total'} ${balance_minor / 100}`,
        );
        expect(written.sort()).toEqual(expected.sort());
      }),
      { numRuns: 12, seed: 13 },
    );
  }, 120_000);
});

/** Whether a figure is a crossing, given in order. */
function oracleOf(amount: number) {
  let armed = true;
  return (figure: number): boolean => {
    const isTold = armed && figure < amount;
    armed = isTold ? false : armed || figure >= amount * 1.05;
    return isTold;
  };
}
