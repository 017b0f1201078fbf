import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { eraseAccounts } from '../../../src/server/banking/connections/erasing.ts';
import { changeAlert } from '../../../src/server/notifications/alerts/changes.ts';
import { evaluateAlerts } from '../../../src/server/notifications/alerts/evaluating.ts';
import type { AttemptOutcome } from '../../../src/server/notifications/deliveries/attempt.ts';
import { claimWaiting } from '../../../src/server/notifications/deliveries/claiming-waiting.ts';
import { claimNextDue } from '../../../src/server/notifications/deliveries/due.ts';
import { recordOutcomes } from '../../../src/server/notifications/deliveries/recording-outcomes.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { runHourlyUpkeep } from '../../../src/server/operations/upkeep/hourly.ts';
import { engines } from '../../support/engines.ts';
import { trustedClock } from '../../support/trusted-clock.ts';
import { untilWaiting } from '../../support/waiting.ts';
import { eventually } from '../deliveries/fixture.ts';
import { actorOf, deliveriesOf } from '../deliveries/people.ts';
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

describe.each(engines)('alerts that could not be told, on %s', (engine) => {
  setUpAlerts(engine);

  const evaluateNow = () => evaluateAlerts(fixture.services, camille.userId);
  const stop = (stopped: boolean) =>
    fixture.services.database.sql.updateTable('messengers').set({ stopped }).execute();
  /** Of the accounts these alone. */
  const cover = async (...names: string[]) => {
    const { sql: database } = fixture.services.database;
    const scope = { account_scope: 'chosen', includes_new: false } as const;
    await database.updateTable('messengers').set(scope).execute();
    for (const name of names) {
      const chosen = { user_id: camille.userId, messenger_id: messenger.id, included: true };
      const account_id = await bank.accountId(name);
      await database
        .insertInto('messenger_accounts')
        .values({ ...chosen, account_id })
        .execute();
    }
  };
  const toldAt = async () =>
    (await fixture.services.database.sql.selectFrom('alerts').select('crossed_at').execute())[0];
  const watchCourant = async () => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
  };

  it('what waits for a summary that cannot be told is told by a later reading', async () => {
    await watchCourant();
    fixture.clock.set('2026-01-12T21:30:00Z');
    await bank.read({ Courant: 400 });
    await evaluateNow();
    expect(await crossings()).toHaveLength(1);
    await stop(true);
    fixture.clock.set('2026-01-13T06:00:00Z');
    await evaluateNow();
    expect([await crossings(), await alertsSent()]).toEqual([[], []]);
    await stop(false);
    await later(60, { Courant: 390 });
    await evaluateNow();
    expect(await crossings()).toMatchObject([{ balance_minor: 39_000, release_at: null }]);
  });

  it('of two that waited for a summary and were dropped together, none counts as told', async () => {
    await bank.read({ Courant: 800, Joint: 900 });
    await bank.alert(messenger.id, { kind: 'movement', amount: 300 });
    fixture.clock.set('2026-01-12T21:30:00Z');
    await bank.read({ Courant: 400, Joint: 100 });
    await evaluateNow();
    expect(await crossings()).toHaveLength(2);
    expect(await toldAt()).toEqual({ crossed_at: fixture.clock.now() });
    await stop(true);
    fixture.clock.set('2026-01-13T06:00:00Z');
    await evaluateNow();
    expect([await crossings(), await toldAt()]).toEqual([[], { crossed_at: null }]);
  });

  it('what waits for a summary is not told once its alert has another rule', async () => {
    await bank.read({ Courant: 800, Joint: 900 });
    const rule = { kind: 'below', amount: 500, account: 'Courant' } as const;
    const id = await bank.alert(messenger.id, rule);
    fixture.clock.set('2026-01-12T21:30:00Z');
    await bank.read({ Courant: 400, Joint: 900 });
    await evaluateNow();
    expect(await crossings()).toHaveLength(1);
    const deps = { ...fixture.services, bankSources: bank.bankSources };
    const other = { kind: 'below', amount: 100, currency_code: 'EUR' } as const;
    const account = await bank.accountId('Joint');
    await changeAlert(deps, actorOf(camille), messenger.id, id, { ...other, account });
    fixture.clock.set('2026-01-13T06:00:00Z');
    await evaluateNow();
    expect([await crossings(), await alertsSent()]).toEqual([[], []]);
  });

  it('what is sent late is not posted at night', async () => {
    await watchCourant();
    fixture.clock.set('2026-01-12T20:59:00Z');
    await bank.read({ Courant: 390 });
    await evaluateNow();
    fixture.clock.set('2026-01-12T21:10:00Z');
    await work();
    const rows = await eventually(alertsSent, ([row]) => row?.reason === 'night');
    expect(rows).toMatchObject([{ outcome: 'pending' }]);
  });

  it('a summary that is late waits for the morning', async () => {
    await watchCourant();
    fixture.clock.set('2026-01-12T21:30:00Z');
    await bank.read({ Courant: 400 });
    await evaluateNow();
    fixture.clock.set('2026-01-13T21:30:00Z');
    expect([await evaluateNow(), await evaluateNow()]).toEqual([0, 0]);
    expect(await crossings()).toMatchObject([{ release_at: new Date('2026-01-14T06:00:00Z') }]);
    fixture.clock.set('2026-01-14T06:00:00Z');
    expect(await evaluateNow()).toBe(1);
  });

  it('a summary leaves out an account that its bank no longer lists, which is told once it is back', async () => {
    await bank.read({ Courant: 800, Joint: 900 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Joint' });
    await bank.alert(messenger.id, { kind: 'below', amount: 1000 });
    fixture.clock.set('2026-01-12T21:30:00Z');
    await bank.read({ Courant: 123.45, Joint: 400 });
    await evaluateNow();
    expect(await crossings()).toHaveLength(3);
    await later(15, { Joint: 400 });
    fixture.clock.set('2026-01-13T06:00:00Z');
    expect(await evaluateNow()).toBe(1);
    expect(await crossings()).toMatchObject([
      { balance_minor: 40_000, account_id: expect.anything() },
    ]);
    await later(60, { Courant: 123.45, Joint: 400 });
    await evaluateNow();
    expect((await crossings()).slice(1)).toMatchObject([
      { balance_minor: 12_345 },
      { balance_minor: 52_345, account_id: null },
    ]);
  });

  it('a summary leaves out an account that its notification covers no more, unless the alert is on it', async () => {
    await bank.read({ Courant: 800, Joint: 900 });
    await bank.alert(messenger.id, { kind: 'movement', amount: 300 });
    await bank.alert(messenger.id, { kind: 'movement', amount: 300, account: 'Courant' });
    await bank.alert(messenger.id, { kind: 'below', amount: 1000 });
    fixture.clock.set('2026-01-12T21:30:00Z');
    await bank.read({ Courant: 123.45, Joint: 400 });
    await evaluateNow();
    expect(await crossings()).toHaveLength(4);
    await cover('Joint');
    fixture.clock.set('2026-01-13T06:00:00Z');
    expect(await evaluateNow()).toBe(1);
    expect((await crossings()).map(({ change_minor }) => change_minor)).toEqual([-50_000, -67_655]);
  });

  it('a message that is sent late leaves out what is hidden or not covered any more', async () => {
    await bank.read({ Courant: 800, Joint: 900, Livret: 900 });
    await bank.alert(messenger.id, { kind: 'movement', amount: 300 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await later(60, { Courant: 123.45, Joint: 400, Livret: 400 });
    await evaluateNow();
    expect(await crossings()).toHaveLength(4);
    await cover('Courant', 'Joint');
    await later(15, { Joint: 400, Livret: 400 });
    await work();
    expect(await sent(1)).toMatchObject([{ outcome: 'delivered' }]);
    expect(posted()).toEqual([expect.stringMatching(/^Joint .* −500,00 €.*\nOuvrir Tirelire/)]);
  });

  it('one of which nothing may be told any more ends, and is told once its account is back', async () => {
    await watchCourant();
    await later(60, { Courant: 400 });
    await evaluateNow();
    await later(15, { Joint: 5 });
    await work();
    expect(await sent(1)).toMatchObject([{ outcome: 'cancelled', reason: 'alert_deleted' }]);
    expect(posted()).toEqual([]);
    await later(60, { Courant: 390, Joint: 5 });
    expect((await sent(2)).map(({ outcome }) => outcome)).toEqual(['cancelled', 'delivered']);
  });

  it('a summary that comes days late is told, whatever the upkeep removes meanwhile', async () => {
    await watchCourant();
    fixture.clock.set('2026-01-12T21:30:00Z');
    await bank.read({ Courant: 400 });
    await evaluateNow();
    fixture.clock.set('2026-01-17T09:00:00Z');
    expect(await evaluateNow()).toBe(1);
    await runHourlyUpkeep(fixture.services);
    await work();
    expect(await sent(1)).toMatchObject([{ outcome: 'delivered' }]);
    await runHourlyUpkeep(fixture.services);
    expect(await crossings()).toEqual([]);
  });

  it('an alert that failed is armed again, and told once', async () => {
    await watchCourant();
    await later(60, { Courant: 400 });
    await evaluateNow();
    await stop(true);
    await work();
    expect(await sent(1)).toMatchObject([{ outcome: 'failed', reason: 'paused' }]);
    expect(await toldAt()).toEqual({ crossed_at: null });
    await stop(false);
    await later(60, { Courant: 390 });
    expect((await sent(2)).map(({ outcome }) => outcome)).toEqual(['failed', 'delivered']);
    expect(await toldAt()).toEqual({ crossed_at: fixture.clock.now() });
    await later(60, { Courant: 380 });
    await evaluateNow();
    expect(await crossings()).toHaveLength(2);
  });

  it('one that fails long after one that arrived leaves the date of that one', async () => {
    await watchCourant();
    await later(60, { Courant: 400 });
    await evaluateNow();
    const toldOn = fixture.clock.now();
    await work();
    expect(await sent(1)).toMatchObject([{ outcome: 'delivered' }]);
    await later(5 * 24 * 60, { Courant: 900 });
    await evaluateNow();
    await runHourlyUpkeep(fixture.services);
    expect(await crossings()).toEqual([]);
    // The daily message of that day fails too, if it is sent before.
    fixture.slack.control.addFault({ kind: 'error', code: 'msg_too_long', times: null });
    await later(60, { Courant: 400 });
    expect((await sent(2)).map(({ outcome }) => outcome)).toEqual(['delivered', 'failed']);
    expect(await toldAt()).toEqual({ crossed_at: toldOn });
  });

  it('alerts that failed are not counted among the three of a day', async () => {
    await watchCourant();
    await work();
    for (const count of [1, 2, 3]) {
      fixture.slack.control.addFault({ kind: 'error', code: 'msg_too_long' });
      await later(60, { Courant: 400 - count });
      await sent(count);
    }
    await later(60, { Courant: 390 });
    expect((await sent(4)).map(({ outcome }) => outcome)).toEqual([
      ...['failed', 'failed', 'failed', 'delivered'],
    ]);
  });

  it('one that failed is written beside a daily message while its account is removed', async () => {
    if (engine === 'embedded') return;
    const { services, clock } = fixture;
    await watchCourant();
    await later(60, { Courant: 400 });
    await evaluateNow();
    clock.set('2026-01-13T08:00:00Z');
    const now = clock.now();
    const claim = { now, count: 10, settings: deliverySettings, held: [], takesOver: true };
    const due = await claimNextDue(services, 10, deliverySettings, trustedClock);
    const waiting = await claimWaiting(services, claim);
    const claimed = [...due.deliveries, ...waiting.outcomes.map(({ delivery }) => delivery)];
    expect(claimed.map(({ kind }) => kind)).toEqual(['daily', 'alert']);
    const outcomes = claimed.map((delivery): AttemptOutcome => {
      const outcome = delivery.kind === 'alert' ? 'missed' : 'delivered';
      const change = { outcome, reason: null, finishedAt: now, isUnposted: false } as const;
      return { delivery, change, againAfterSeconds: null };
    });
    let recording = Promise.resolve();
    const figureListener: typeof services.figureListener = {
      ...services.figureListener,
      async erased(...erasure) {
        recording = recordOutcomes(services, outcomes, now);
        await untilWaiting(services.database, 1);
        await services.figureListener.erased(...erasure);
      },
    };
    const account = await bank.accountId('Courant');
    const isAccount = sql<boolean>`id = ${account}`;
    await services.database.sql
      .transaction()
      .execute((held) => eraseAccounts({ figureListener }, held, camille.userId, isAccount));
    await recording;
    const ends = await deliveriesOf(fixture, messenger.id);
    expect(ends.map(({ outcome }) => outcome).sort()).toEqual(['delivered', 'missed']);
  });
});
