import { describe, expect, it } from 'vitest';
import { bankRefreshJobs } from '../../../src/server/banking/jobs.ts';
import { scheduleDue } from '../../../src/server/banking/refreshing/work.ts';
import { evaluateAlerts } from '../../../src/server/notifications/alerts/evaluating.ts';
import { engines } from '../../support/engines.ts';
import { takeJobs } from '../../support/waiting-jobs.ts';
import { eventually } from '../deliveries/fixture.ts';
import { deliveriesOf } from '../deliveries/people.ts';
import {
  alertsSent,
  bank,
  camille,
  crossings,
  evaluated,
  fixture,
  later,
  messenger,
  posted,
  sent,
  setUpAlerts,
  work,
} from './fixture.ts';

describe.each(engines)('alerts, on %s', (engine) => {
  setUpAlerts(engine);

  it('a crossing is posted at once where the notification posts, and told once', async () => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await work();
    await later(60, { Courant: { balance: 432.1, asOf: '2026-01-12T09:55:00Z' } });
    expect(await sent(1)).toMatchObject([
      { kind: 'alert', outcome: 'delivered', local_date: '2026-01-12', sequence: 1, figures: null },
    ]);
    expect(posted()).toEqual([
      [
        'Courant (Banque du Littoral) est passé sous 500,00 € : 432,10 € (10:55).',
        'Ouvrir Tirelire : http://localhost:3000/',
      ].join('\n'),
    ]);
    await later(60, { Courant: 300 });
    await later(60, { Courant: 524.99 });
    await later(60, { Courant: 400 });
    await evaluated();
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
        '• Courant (Banque du Littoral) est passé sous 500,00 € : 400,00 € (11:00).',
        '• Courant (Banque du Littoral) : mouvement de −400,00 €, le solde est de 400,00 € (11:00).',
        '• Le total de 2 comptes est passé sous 1 500,00 € : 1 300,00 € (solde le plus ancien : 11:00).',
        'Ouvrir Tirelire : http://localhost:3000/',
      ].join('\n'),
    ]);
    fixture.clock.set('2026-01-13T08:00:00Z');
    const rows = await eventually(
      () => deliveriesOf(fixture, messenger.id),
      (all) => all.filter(({ outcome }) => outcome === 'delivered').length === 2,
    );
    expect(rows.map(({ kind, sequence }) => [kind, sequence])).toEqual([
      ['alert', 1],
      ['daily', 0],
    ]);
  });

  it('what is found at night waits for one summary at 07:00, without a daily message', async () => {
    await fixture.services.database.sql.updateTable('messengers').set({ message: '' }).execute();
    await bank.read({ Courant: 800, Joint: 900 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Joint' });
    await work();
    fixture.clock.set('2026-01-12T21:30:00Z');
    await bank.read({ Courant: 100, Joint: 900 });
    fixture.clock.set('2026-01-13T02:00:00Z');
    await bank.read({ Courant: 100, Joint: 200 });
    await evaluated();
    expect(await crossings()).toMatchObject([
      { delivery_id: null, release_at: new Date('2026-01-13T06:00:00Z') },
      { delivery_id: null, release_at: new Date('2026-01-13T06:00:00Z') },
    ]);
    expect(await alertsSent()).toEqual([]);
    fixture.clock.set('2026-01-13T06:00:00Z');
    await sent(1);
    expect(posted()).toEqual([
      [
        'Vos alertes de la nuit et de la veille :',
        '• Courant (Banque du Littoral) est passé sous 500,00 € : 100,00 € (hier à 22:30).',
        '• Joint (Banque du Littoral) est passé sous 500,00 € : 200,00 € (03:00).',
        'Ouvrir Tirelire : http://localhost:3000/',
      ].join('\n'),
    ]);
  });

  it('however many amounts a balance falls under at once, all are told in one message', async () => {
    await bank.read({ Courant: 2500 });
    for (const amount of [2000, 1500, 1000, 500])
      await bank.alert(messenger.id, { kind: 'below', amount, account: 'Courant' });
    await later(60, { Courant: 100 });
    await evaluateAlerts(fixture.services, camille.userId);
    expect(await crossings()).toMatchObject(Array(4).fill({ release_at: null }));
    await later(60, { Courant: 2500 });
    await later(60, { Courant: 100 });
    await evaluateAlerts(fixture.services, camille.userId);
    expect((await crossings()).slice(4)).toMatchObject(Array(4).fill({ release_at: null }));
  });

  it('beyond three in a day for an account, the rest waits for the next summary', async () => {
    await bank.read({ Courant: 1000, Joint: 1000 });
    await bank.alert(messenger.id, { kind: 'movement', amount: 100, account: 'Courant' });
    await bank.alert(messenger.id, { kind: 'movement', amount: 100, account: 'Joint' });
    await work();
    for (const balance of [800, 1000, 800, 1000, 800]) {
      await later(30, { Courant: balance, Joint: 1000 });
      await evaluated();
    }
    await later(30, { Courant: 800, Joint: 5 });
    await sent(4);
    expect((await crossings()).map(({ release_at }) => release_at !== null)).toEqual([
      ...[false, false, false, true, true, false],
    ]);
    fixture.clock.set('2026-01-13T06:00:10Z');
    await sent(5);
    expect(posted().at(-1)?.split('\n')).toHaveLength(4);
    await later(60, { Courant: 1000, Joint: 5 });
    await sent(6);
  });

  it('old figures, a first reading and what is no reading of a source tell nothing', async () => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    await bank.alert(messenger.id, { kind: 'movement', amount: 50 });
    await later(31 * 60, { Courant: { balance: 400, asOf: '2026-01-12T09:30:00Z' }, Neuf: 5 });
    await later(60, { Courant: { balance: null, asOf: '2026-01-13T17:00:00Z' }, Neuf: 5 });
    await evaluateAlerts(fixture.services, camille.userId);
    expect(await crossings()).toEqual([]);
    // Still under the amount: now it may be told. It has not moved.
    await later(60, { Courant: 400, Neuf: 5 });
    await evaluateAlerts(fixture.services, camille.userId);
    expect(await crossings()).toMatchObject([{ balance_minor: 40_000, change_minor: null }]);
  });

  it('accounts with an alert are read every hour from 07:00 to 22:00, and no others', async () => {
    const scheduled = async (at: string) => {
      fixture.clock.set(at);
      const deps = { ...fixture.services, bankSources: bank.bankSources };
      while ((await scheduleDue(deps)) > 0);
      const jobs = await takeJobs(fixture.services.database.sql, bankRefreshJobs);
      await fixture.services.database.sql
        .updateTable('bank_refreshes')
        .set({ scheduled_at: null })
        .execute();
      return jobs.filter(({ userId }) => userId === camille.userId).length;
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
    const { database } = fixture.services;
    await database.sql.updateTable('messengers').set({ zone: 'Asia/Tokyo' }).execute();
    expect(await scheduled('2026-01-13T14:00:00Z')).toBe(0);
    expect(await scheduled('2026-01-13T23:00:00Z')).toBe(1);
    await database.sql.updateTable('messengers').set({ stopped: true }).execute();
    expect(await scheduled('2026-01-13T23:30:00Z')).toBe(0);
  });

  it('an account keeps its alert under another id of its source, and takes it along when it goes', async () => {
    await bank.read({ Courant: 800 });
    await bank.alert(messenger.id, { kind: 'below', amount: 500, account: 'Courant' });
    bank.renew();
    await later(60, { Courant: 400 });
    await evaluateAlerts(fixture.services, camille.userId);
    expect(await crossings()).toHaveLength(1);
    await fixture.services.database.sql.deleteFrom('bank_connections').execute();
    const { sql: database } = fixture.services.database;
    for (const table of ['alerts', 'alert_figures', 'alert_crossings', 'alert_readings'] as const) {
      expect(await database.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });
});
