import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startWorker } from '../../../src/server/app/worker.ts';
import { type Application, startApplication } from '../../support/application.ts';
import { connectSlack } from '../../support/slack.ts';
import { quick } from '../deliveries/quick.ts';

let app: Application;
beforeAll(async () => {
  app = await startApplication();
});
beforeEach(async () => {
  app.clock.set('2026-01-12T10:00:00Z');
  await app.services.database.sql.deleteFrom('messengers').execute();
  await app.services.database.sql.deleteFrom('slots').execute();
});
afterAll(() => app.close());

const hour = { hours: 14, minutes: 15, timeZone: '+0100', zone: 'Europe/Paris' };
const text = { slackChannel: 'C0FGENERAL0', message: 'Bonjour' };

async function addTwo() {
  const person = await app.signUp();
  const one = await connectSlack(app, person, 'T0FONTAINE');
  const two = (await person.post('/messengers', {})).body;
  return { person, one: `/messengers/${one.id}`, two: `/messengers/${two.id}` };
}

test('a pause puts off no other notification of its hour, nor itself once it has ended', async () => {
  const { person, one, two } = await addTwo();
  const paused = await person.patch(one, { ...text, hour, pausedUntil: '2026-03-01' });
  expect(paused.body.nextDate).toBe('2026-03-01T13:15:00.000Z');
  const other = await person.patch(two, { ...text, hour });
  const resumed = await person.post(`${one}/resume`);
  expect([other.body.nextDate, resumed.body.nextDate]).toEqual([
    ...['2026-01-12T13:15:00.000Z', '2026-01-12T13:15:00.000Z'],
  ]);
});

test('an hour that an earlier version put off by a pause is planned again at the start', async () => {
  const { person, one } = await addTwo();
  await person.patch(one, { ...text, hour });
  const { sql } = app.services.database;
  await sql
    .updateTable('slots')
    .set({ next_at: new Date('2026-03-01T13:15:00Z'), local_date: '2026-03-01' })
    .where('hours', '=', 14)
    .execute();
  const worker = await startWorker(app.services, quick);
  const slot = () =>
    sql.selectFrom('slots').select(['next_at', 'local_date']).where('hours', '=', 14).execute();
  await expect
    .poll(slot)
    .toEqual([{ next_at: new Date('2026-01-12T13:15:00Z'), local_date: '2026-01-12' }]);
  await worker.stop();
});
