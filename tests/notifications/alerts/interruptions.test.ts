import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { deleteAlert } from '../../../src/server/notifications/alerts/changes.ts';
import { evaluateAlerts } from '../../../src/server/notifications/alerts/evaluating.ts';
import { prepareToRun } from '../../../src/server/operations/backup/preparing.ts';
import { runHourlyUpkeep } from '../../../src/server/operations/upkeep/hourly.ts';
import { engines } from '../../support/engines.ts';
import { untilWaiting } from '../../support/waiting.ts';
import { eventually } from '../deliveries/fixture.ts';
import { actorOf, addMessenger, addPerson, deliveriesOf } from '../deliveries/people.ts';
import {
  alertsSent,
  bank,
  camille,
  crossings,
  fixture,
  later,
  messenger,
  posted,
  sent,
  setUpAlerts,
  work,
} from './fixture.ts';
import { watch } from './watched.ts';

describe.each(engines)('alerts, on %s', (engine) => {
  setUpAlerts(engine);

  it('a notification in pause tells nothing; what still holds afterwards is told', async () => {
    await bank.read({ Courant: 800, Joint: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Joint' });
    await bank.alert(messenger.id, { kind: 'movement', amount: 100 });
    const pause = (paused_until: string | null) =>
      fixture.services.database.sql.updateTable('messengers').set({ paused_until }).execute();
    await pause('2026-01-13');
    await later(60, { Courant: 400, Joint: 400 });
    await evaluateAlerts(fixture.services, camille.userId);
    await later(60, { Courant: 400, Joint: 800 });
    await evaluateAlerts(fixture.services, camille.userId);
    expect(await crossings()).toEqual([]);
    fixture.clock.set('2026-01-13T09:00:00Z');
    await bank.read({ Courant: 400, Joint: 800 });
    await evaluateAlerts(fixture.services, camille.userId);
    expect(await crossings()).toMatchObject([{ balance_minor: 40_000, change_minor: null }]);
  });

  it.each([
    ['stopped', { stopped: true }],
    ['paused by a refusal', { paused_at: new Date(), paused_reason: 'is_archived' }],
    ['without a channel', { channel_id: null }],
  ])('nothing is written for a notification that is %s', async (_name, change) => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await fixture.services.database.sql.updateTable('messengers').set(change).execute();
    await later(60, { Courant: 400 });
    await evaluateAlerts(fixture.services, camille.userId);
    expect(await crossings()).toEqual([]);
    expect(await alertsSent()).toEqual([]);
  });

  it('a database that is away for one evaluation holds up no other, and this one not for long', async () => {
    const dominique = await addPerson(fixture);
    const theirs = await addMessenger(fixture, dominique);
    const hers = await watch(fixture, dominique);
    for (const [one, { id }] of [[bank, messenger] as const, [hers, theirs] as const]) {
      await one.read({ Courant: 800 });
      await one.alert(id, { kind: 'below', amount: 500, account: 'Courant' });
    }
    fixture.clock.advance({ minutes: 60 });
    for (const one of [bank, hers]) await one.read({ Courant: 400 });
    const run = (text: string) => sql.raw(text).execute(fixture.services.database.sql);
    await run('create sequence tries');
    await run(`create function be_away() returns trigger language plpgsql as $$ begin
      perform nextval('tries'); raise exception 'away' using errcode = '57014'; end $$`);
    await run(`create trigger away before insert on alert_crossings for each row
      when (new.user_id = '${camille.userId}') execute function be_away()`);
    await work();
    await eventually(
      () => deliveriesOf(fixture, theirs.id),
      (rows) => rows.some(({ kind }) => kind === 'alert'),
    );
    await eventually(
      async () => (await run('select last_value from tries where is_called')).rows,
      (tries) => tries.length > 0,
    );
    expect(await alertsSent()).toEqual([]);
    await run('drop function be_away cascade');
    expect(await sent(1)).toMatchObject([{ outcome: 'delivered' }]);
  });

  it('paused between the finding and the sending, the alert ends with its reason', async () => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await later(60, { Courant: 400 });
    await evaluateAlerts(fixture.services, camille.userId);
    await fixture.services.database.sql.updateTable('messengers').set({ stopped: true }).execute();
    await work();
    expect(await sent(1)).toMatchObject([{ outcome: 'failed', reason: 'paused' }]);
  });

  it('an alert that was deleted before it was sent tells nothing, and the list says why', async () => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await later(60, { Courant: 400 });
    await evaluateAlerts(fixture.services, camille.userId);
    await fixture.services.database.sql.deleteFrom('alerts').execute();
    await work();
    expect(await sent(1)).toMatchObject([{ outcome: 'cancelled', reason: 'alert_deleted' }]);
    expect(posted()).toEqual([]);
  });

  it('a chat that is away is tried again, as for a daily message', async () => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    fixture.slack.control.addFault({ kind: 'error', code: 'service_unavailable' });
    await work();
    await later(60, { Courant: 400 });
    expect(await sent(1)).toMatchObject([{ outcome: 'delivered', attempts: 2 }]);
  });

  it('an evaluation that breaks off halfway is made again, and tells once', async () => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await later(60, { Courant: 400 });
    const broken = {
      ...fixture.services,
      randomness: {
        ...fixture.services.randomness,
        uuid: () => {
          throw new Error('broken off');
        },
      },
    };
    await expect(evaluateAlerts(broken, camille.userId)).rejects.toThrow('broken off');
    expect(await crossings()).toEqual([]);
    await evaluateAlerts(fixture.services, camille.userId);
    await evaluateAlerts(fixture.services, camille.userId);
    expect(await crossings()).toHaveLength(1);
    expect(await alertsSent()).toHaveLength(1);
  });

  it('an alert that is deleted during an evaluation does not break it off', async () => {
    if (engine === 'embedded') return;
    await bank.read({ Courant: 800 });
    const id = await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await later(60, { Courant: 400 });
    const { database } = fixture.services;
    const { evaluation, deletion } = await database.sql.transaction().execute(async (held) => {
      await sql`select from alert_readings for update`.execute(held);
      const evaluation = evaluateAlerts(fixture.services, camille.userId);
      await untilWaiting(database, 1);
      const actor = actorOf(camille);
      const deletion = deleteAlert(fixture.services, actor, messenger.id, id);
      await Promise.race([deletion, untilWaiting(database, 2)]);
      return { evaluation, deletion };
    });
    expect(await evaluation).toBe(1);
    expect(await deletion).toBe(true);
    expect(await crossings()).toEqual([]);
  });

  it('an alert that is added while its notification is deleted finds none', async () => {
    if (engine === 'embedded') return;
    await bank.read({ Courant: 800 });
    const { database } = fixture.services;
    const { adding } = await database.sql.transaction().execute(async (deletion) => {
      await deletion.deleteFrom('messengers').where('id', '=', messenger.id).execute();
      const adding = bank
        .alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' })
        .catch((error) => error);
      await untilWaiting(database, 1);
      return { adding };
    });
    expect(await adding).toMatchObject({ code: 'Not_Found' });
  });

  it('a restored installation sends none of what may have been told, and goes on', async () => {
    await bank.read({ Courant: 800, Joint: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Joint' });
    fixture.clock.set('2026-01-12T22:00:00Z');
    await bank.read({ Courant: 400, Joint: 800 });
    await evaluateAlerts(fixture.services, camille.userId);
    fixture.clock.set('2026-01-13T09:00:00Z');
    await prepareToRun(fixture.services, fixture.clock.now());
    expect(await alertsSent()).toMatchObject([{ outcome: 'uncertain', reason: 'restored' }]);
    await later(60, { Courant: 400, Joint: 400 });
    await evaluateAlerts(fixture.services, camille.userId);
    expect(await alertsSent()).toHaveLength(2);
  });

  it('a clock that ran ahead keeps no summary back, and what was told is forgotten after days', async () => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    fixture.clock.set('2026-06-01T22:30:00Z');
    await bank.read({ Courant: 400 });
    await evaluateAlerts(fixture.services, camille.userId);
    expect(await crossings()).toMatchObject([{ delivery_id: null }]);
    fixture.clock.set('2026-01-12T10:00:00Z');
    await work();
    await sent(1);
    await runHourlyUpkeep(fixture.services);
    expect(await crossings()).toHaveLength(1);
    await fixture.services.database.sql
      .updateTable('alert_crossings')
      .set({ created_at: new Date('2026-01-09T09:00:00Z') })
      .execute();
    await runHourlyUpkeep(fixture.services);
    expect(await crossings()).toEqual([]);
  });

  const step = fc.record({
    minutes: fc.integer({ min: 20, max: 600 }),
    balances: fc.tuple(fc.constantFrom(300, 450, 510, 530, 900), fc.constantFrom(100, 400, 800)),
    /** How many readings go by before the alerts are evaluated, and how many workers do it at once. */
    evaluations: fc.constantFrom(0, 1, 2),
  });

  it('no crossing is lost and none is told twice, for any series of readings and evaluations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        fixture.clock.set('2026-01-12T09:00:00Z');
        const person = await addPerson(fixture);
        const accounts = await watch(fixture, person);
        const { id } = await addMessenger(fixture, person);
        await accounts.read({ A: 900, B: 800 });
        await accounts.alert(id, { kind: 'below', amount: 500, account: 'A' });
        await accounts.alert(id, { kind: 'movement', amount: 350, account: 'B' });
        await accounts.alert(id, { kind: 'below', amount: 1000 });
        const expected: string[] = [];
        const [first, sum] = [oracleOf(500), oracleOf(1000)];
        let [before, skipped] = [800, 0];
        for (const { minutes, balances, evaluations } of steps) {
          const [a, b] = balances;
          fixture.clock.advance({ minutes });
          await accounts.read({ A: a, B: b });
          if (first(a)) expected.push(`A ${a}`);
          if (Math.abs(b - before) > 350) expected.push(`B ${b}`);
          if (sum(a + b)) expected.push(`total ${a + b}`);
          before = b;
          // What is evaluated a day later is too old to be told.
          skipped = evaluations === 0 ? skipped + 1 : 0;
          await Promise.all(
            Array.from({ length: skipped === 2 ? 1 : evaluations }, () =>
              evaluateAlerts(fixture.services, person.userId),
            ),
          );
          if (skipped === 2) skipped = 0;
        }
        await evaluateAlerts(fixture.services, person.userId);
        fixture.clock.advance({ days: 2 });
        await evaluateAlerts(fixture.services, person.userId);
        // A summary that is due at night waits for the morning.
        fixture.clock.advance({ hours: 12 });
        await evaluateAlerts(fixture.services, person.userId);
        const told = await fixture.services.database.sql
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
