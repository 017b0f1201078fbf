import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Worker } from '../../../src/server/app/worker.ts';
import { sendTest } from '../../../src/server/notifications/deliveries/test-messages.ts';
import { plain } from '../../shared/message/samples.ts';
import { type StoredAccount, storeAccounts } from '../../shared/message/stored-accounts.ts';
import { type Databases, engines, startDatabases } from '../../support/engines.ts';
import { eventually, type Fixture, openFixture } from './fixture.ts';
import {
  actorOf,
  addMessenger,
  addPerson,
  bonnard,
  deliveriesOf,
  type SeededPerson,
} from './people.ts';

const publicUrl = 'http://localhost:3000';

describe.each(engines)('figures in a delivery, on %s', (engine) => {
  let databases: Databases;
  let fixture: Fixture;
  let worker: Worker;
  let camille: SeededPerson;

  beforeAll(async () => {
    databases = await startDatabases(engine);
    fixture = await openFixture(await databases.open());
  });
  beforeEach(async () => {
    camille = await addPerson(fixture);
    worker = await fixture.startWorker();
  });
  afterEach(async () => {
    await worker.stop();
    await sql`truncate users, slots, deliveries cascade`.execute(fixture.services.database.sql);
    fixture.slack.control.clearMessages();
    fixture.slack.control.clearFaults();
    fixture.clock.set('2026-01-12T07:00:00Z');
  });
  afterAll(async () => {
    await fixture.close();
    await databases.close();
  });

  const store = (...accounts: StoredAccount[]) =>
    storeAccounts(fixture.services, camille.userId, accounts);
  /** In minor units, by day, of the first account. */
  const storeDays = async (balances: Record<string, number>) => {
    const row = { user_id: camille.userId, account_id: 1, currency: 'EUR' };
    const days = Object.entries(balances).map(([day, balance_minor]) => ({ day, balance_minor }));
    await fixture.services.database.sql
      .insertInto('bank_balances')
      .values(days.map((one) => ({ ...row, ...one, as_of: fixture.clock.now() })))
      .execute();
  };
  const posted = () => fixture.slack.control.messages(bonnard.team, bonnard.general);
  const last = () => plain(posted().at(-1)?.text ?? '');
  const add = (message: string) => addMessenger(fixture, camille, { message, variables: true });
  const ended = (id: string, count: number) =>
    eventually(
      () => deliveriesOf(fixture, id),
      (rows) => rows.length === count && rows.every(({ outcome }) => outcome !== 'pending'),
    );

  it('are drawn as a chart where that was chosen, with or without variables in the text', async () => {
    await store({ id: 1, name: 'Courant', balance: 12.34 }, { id: 2, name: 'Coffre', balance: 1 });
    await storeDays({ '2026-01-11': 1000, '2026-01-12': 1234 });
    const chosen = { account_scope: 'chosen', includes_new: false, chart: true } as const;
    for (const variables of [true, false]) {
      const message = variables ? 'Total {{total}}' : 'Bonjour <!channel>';
      const { id } = await addMessenger(fixture, camille, { message, variables, ...chosen });
      await fixture.services.database.sql
        .insertInto('messenger_accounts')
        .values({ user_id: camille.userId, messenger_id: id, account_id: 1, included: true })
        .execute();
    }
    fixture.clock.set('2026-01-12T08:00:00Z');
    await eventually(posted, ({ length }) => length === 2);
    const point = (label: string, value: number) => ({ label, value });
    for (const { blocks, text } of posted()) {
      const [said, chart, ...notes] = blocks as Record<string, unknown>[];
      expect(said).toMatchObject({ type: 'section' });
      expect(chart).toMatchObject({
        ...{ type: 'data_visualization', title: 'Total en EUR, du 11/01 au 12/01' },
        chart: { series: [{ name: 'Total', data: [point('11/01', 10), point('12/01', 12.34)] }] },
      });
      expect(notes.every(({ type }) => type === 'context')).toBe(true);
      expect(text).not.toContain('<!');
    }
  });

  it('are drawn in a test as the chart is chosen on screen, saved or not', async () => {
    await store({ id: 1, name: 'Courant', balance: 12.34 });
    await storeDays({ '2026-01-11': 1, '2026-01-12': 1 });
    const { id } = await add('Total {{total}}');
    for (const draft of [{ chart: true }, {}, { chart: false }]) {
      await sendTest(fixture.services, actorOf(camille), id, draft, 10_000);
    }
    const charted = posted().map(({ blocks }) =>
      (blocks as { type: string }[] | null)?.some(({ type }) => type === 'data_visualization'),
    );
    expect(charted).toEqual([true, false, false]);
  });

  it('go out without the chart where it is refused', async () => {
    await store({ id: 1, name: 'Courant', balance: 12.34 });
    await storeDays({ '2026-01-11': 1, '2026-01-12': 1 });
    const message = 'Total {{total}}';
    const { id } = await addMessenger(fixture, camille, { message, variables: true, chart: true });
    const method = 'chat.postMessage';
    fixture.slack.control.addFault({ method, kind: 'error', code: 'invalid_blocks' });
    fixture.clock.set('2026-01-12T08:00:00Z');
    const [delivery] = await ended(id, 1);
    expect(delivery).toMatchObject({ outcome: 'delivered', attempts: 1 });
    const [sent] = posted();
    expect(JSON.stringify(sent?.blocks)).toContain('Total 12,34');
    expect(JSON.stringify(sent?.blocks)).not.toContain('data_visualization');
  });

  it('are those stored when the message goes out, drawn and in text', async () => {
    await store({ id: 1, name: 'Courant', balance: 10 });
    const { id } = await add('Bonjour\n{{soldes}}');
    await store({ id: 1, name: 'Courant', balance: 12.34 });
    fixture.clock.set('2026-01-12T08:00:00Z');
    await ended(id, 1);
    expect(last()).toBe(
      `Bonjour\nBNP Paribas\n• Courant : 12,34 € · 08:00\nOuvrir Tirelire : ${publicUrl}/`,
    );
    expect(posted()[0]?.blocks).toMatchObject([
      { type: 'section' },
      { type: 'table' },
      { type: 'context', elements: [{ text: `<${publicUrl}/|Ouvrir Tirelire>` }] },
    ]);
  });

  it('are compared with the last delivered message of the same notification', async () => {
    const givenAt = fixture.clock.now().getTime();
    await store({ id: 1, name: 'Courant', balance: 100 });
    const { id } = await add('{{variation}}');
    fixture.clock.set('2026-01-12T08:00:00Z');
    const [first] = await ended(id, 1);
    expect(last()).toMatch(/^évolution visible/);
    expect(first?.figures).toEqual({ 1: [10_000, 'EUR', null, givenAt] });
    await store({ id: 1, name: 'Courant', balance: 150 });
    fixture.slack.control.addFault({ kind: 'error', code: 'msg_too_long' });
    fixture.clock.set('2026-01-13T08:00:00Z');
    expect((await ended(id, 2))[1]).toMatchObject({ outcome: 'failed', figures: null });
    fixture.clock.set('2026-01-14T08:00:00Z');
    await ended(id, 3);
    expect(last()).toMatch(/^\+50,00 € depuis lundi/);
    await store({ id: 1, name: 'Courant', balance: 150 });
    fixture.clock.set('2026-01-15T08:00:00Z');
    await ended(id, 4);
    expect(last()).toMatch(/^sans changement depuis hier/);
    // Nobody could read the bank since.
    fixture.clock.set('2026-01-16T08:00:00Z');
    await ended(id, 5);
    expect(last()).toMatch(/^aucun solde plus récent depuis hier/);
  });

  it('name an account that its bank lists no more', async () => {
    await store({ id: 1, name: 'Courant', balance: 1 }, { id: 2, name: 'TVA', balance: 2 });
    const { id } = await add('{{variation}}');
    fixture.clock.set('2026-01-12T08:00:00Z');
    await ended(id, 1);
    const gone_at = fixture.clock.now();
    const accounts = fixture.services.database.sql.updateTable('bank_accounts').set({ gone_at });
    await accounts.where('id', '=', 2).execute();
    fixture.clock.set('2026-01-13T08:00:00Z');
    await ended(id, 2);
    expect(last()).toMatch(/^aucun solde plus récent depuis hier \(retiré : TVA\)/);
  });

  it('are compared with those of yesterday before the first message', async () => {
    await store({ id: 1, name: 'Courant', balance: 100 }, { id: 2, name: 'Joint', balance: 1 });
    await storeDays({ '2026-01-10': 1, '2026-01-11': 9_000 });
    const { id } = await add('{{variation}}');
    fixture.clock.set('2026-01-12T08:00:00Z');
    await ended(id, 1);
    expect(last()).toMatch(/^\+10,00 € depuis hier, sur 1 compte sur 2\n/);
    fixture.clock.set('2026-01-13T08:00:00Z');
    await ended(id, 2);
    expect(last()).toMatch(/^aucun solde plus récent depuis hier\n/);
  });

  it('are compared with those of a yesterday that has ended in the zone of the message', async () => {
    // In the evening of the 12th in Martinique it is the 13th in Paris.
    const evening = '2026-01-13T00:00:00Z';
    await store({ id: 1, name: 'Courant', balance: 100 });
    await storeDays({ '2026-01-10': 1, '2026-01-11': 9_000, '2026-01-12': 10_000 });
    const { id } = await addMessenger(fixture, camille, {
      ...{ message: '{{variation}}', variables: true, hours: 20, zone: 'America/Martinique' },
    });
    fixture.clock.set(evening);
    await ended(id, 1);
    expect(last()).toMatch(/^\+10,00 € depuis hier\n/);
  });

  it('in a test are those on screen, and count for no comparison', async () => {
    await store({ id: 1, name: 'Courant', balance: 1 }, { id: 2, name: 'Joint', balance: 2 });
    const { id } = await addMessenger(fixture, camille);
    await sendTest(
      fixture.services,
      actorOf(camille),
      id,
      {
        message: '{{total}}',
        accounts: { scope: 'chosen', chosen: [2], includesNew: false },
      },
      10_000,
    );
    expect(last()).toMatch(/^2,00 €/);
    const [row] = await deliveriesOf(fixture, id);
    expect(row).toMatchObject({
      outcome: 'delivered',
      figures: null,
      draft: null,
      draft_accounts: null,
    });
  });

  it('never hold up a message: old ones go out with their age, and the late line stays last', async () => {
    await store({ id: 1, name: 'Courant', balance: 5, updatedAt: '2026-01-09T08:00:00Z' });
    const { id } = await add('{{solde:Courant}}');
    await worker.stop();
    fixture.clock.set('2026-01-12T09:12:00Z');
    worker = await fixture.startWorker();
    await ended(id, 1);
    expect(last()).toBe(
      [
        '5,00 € (dernier solde connu, il y a 3 jours)',
        `⚠️ Les données de BNP Paribas ne sont peut-être plus à jour. Vérifiez ses paramètres dans Tirelire. Vérifier : ${publicUrl}/`,
        'Soldes donnés par BNP Paribas le 9 janvier à 09:00',
        `Ouvrir Tirelire : ${publicUrl}/`,
        'Message prévu à 09:00, envoyé à 10:12.',
      ].join('\n'),
    );
    expect(posted()[0]?.blocks).toHaveLength(5);
  });

  it('go out as text alone when their drawing is refused', async () => {
    await store({ id: 1, name: 'Courant' });
    const { id } = await add('{{soldes}}');
    fixture.slack.control.addFault({ kind: 'error', code: 'invalid_blocks' });
    fixture.clock.set('2026-01-12T08:00:00Z');
    expect(await ended(id, 1)).toMatchObject([{ outcome: 'delivered', resends: 0 }]);
    expect(posted()).toMatchObject([{ blocks: null }]);
  });

  it('are not read into a text written before there were variables', async () => {
    await store({ id: 1, name: 'Courant', balance: 5 });
    const message = 'Voir {{soldes}} & *suite*\n{{solde:Courant}}';
    const { id } = await addMessenger(fixture, camille, { message });
    fixture.clock.set('2026-01-12T08:00:00Z');
    expect(await ended(id, 1)).toMatchObject([{ outcome: 'delivered', figures: null }]);
    expect(posted()).toMatchObject([
      { text: 'Voir {{soldes}} &amp; *suite*\n{{solde:Courant}}', blocks: null },
    ]);
  });

  it('are nobody else’s, whoever is served in the same moment', async () => {
    const others = await Promise.all([1, 2, 3].map(() => addPerson(fixture)));
    const ids: string[] = [];
    for (const [index, person] of others.entries()) {
      await storeAccounts(fixture.services, person.userId, [
        { id: 1, name: 'Courant', balance: index + 1 },
      ]);
      const channel = { channel_id: bonnard.general, message: '{{total}}', variables: true };
      ids.push((await addMessenger(fixture, person, channel)).id);
    }
    fixture.clock.set('2026-01-12T08:00:00Z');
    for (const id of ids) await ended(id, 1);
    const said = posted().map(({ text }) => plain(text).split('\n')[0]);
    expect(said.sort()).toEqual(['1,00 €', '2,00 €', '3,00 €']);
  });

  it('and a notification that its owner stopped meanwhile sends nothing', async () => {
    await worker.stop();
    worker = await fixture.startWorker({ backoffSeconds: () => 1 });
    const { id } = await add('{{total}}');
    fixture.slack.control.addFault({ kind: 'error', code: 'service_unavailable' });
    fixture.clock.set('2026-01-12T08:00:00Z');
    await eventually(
      () => deliveriesOf(fixture, id),
      ([first]) => first?.reason === 'service_unavailable',
    );
    await fixture.services.database.sql
      .updateTable('messengers')
      .set({ stopped: true })
      .where('id', '=', id)
      .execute();
    expect(await ended(id, 1)).toMatchObject([{ outcome: 'failed', reason: 'paused' }]);
    expect(posted()).toEqual([]);
  });
});
