import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Application, startApplication } from '../../support/application.ts';
import type { Answer, Person } from '../../support/person.ts';
import { connectSlack } from '../../support/slack.ts';

let app: Application;
let ana: Person;
let id: string;
beforeAll(async () => {
  app = await startApplication();
  ana = await app.signUp();
  ({ id } = await connectSlack(app, ana, 'T0FONTAINE'));
});
beforeEach(async () => {
  app.clock.set('2026-01-12T07:00:00Z');
  await app.services.database.sql.updateTable('messengers').set({ planned_on: null }).execute();
  await save({ message: 'Bonjour', slackChannel: 'C0FGENERAL0' });
  await save({ hour: { hours: 9, minutes: 0, zone: 'Europe/Paris' } });
});
afterAll(() => app.close());

/** Six months later the session is over: she signs in again. */
async function later(moment: string): Promise<void> {
  app.clock.set(moment);
  const { email, password } = ana.details;
  const { body } = await app.visitor.post('/accounts/login', { email, password });
  ana = { ...ana, ...app.visitor.as(body.token) };
}

const save = (change: object): Promise<Answer> => ana.patch(`/messengers/${id}`, change);

test('a zone decides alone: the offset shown is the one at the next sending', async () => {
  const { body } = await save({
    hour: { hours: 10, minutes: 30, zone: 'Asia/Kolkata', timeZone: '+0100' },
  });
  expect(body.hour).toEqual({ hours: 10, minutes: 30, timeZone: '+0530', zone: 'Asia/Kolkata' });
  expect(body.nextDate).toBe('2026-01-13T05:00:00.000Z');
});

test('a zone is kept in its own capitals, by which pages name its city', async () => {
  const { body } = await save({ hour: { hours: 9, minutes: 0, zone: 'europe/paris' } });
  expect(body.hour.zone).toBe('Europe/Paris');
});

test('an offset alone is kept for ever, and the zone is gone', async () => {
  const { body } = await save({ hour: { hours: 9, minutes: 15, timeZone: '+0200' } });
  expect(body.hour).toEqual({ hours: 9, minutes: 15, timeZone: '+0200', zone: null });
  expect(body.nextDate).toBe('2026-01-12T07:15:00.000Z');
  await later('2026-07-12T08:00:00Z');
  const { body: summer } = await save({
    hour: { hours: 9, minutes: 30, timeZone: '+0200', zone: null },
  });
  expect(summer.hour.timeZone).toBe('+0200');
  expect(summer.nextDate).toBe('2026-07-13T07:30:00.000Z');
});

test.each([
  ['-1200', '2026-01-12T21:00:00.000Z'],
  ['+1400', '2026-01-12T19:00:00.000Z'],
  ['+0545', '2026-01-13T03:15:00.000Z'],
])('the offset %s is one of the world’s', async (timeZone, nextDate) => {
  const { body } = await save({ hour: { hours: 9, minutes: 0, timeZone } });
  expect(body).toMatchObject({ hour: { timeZone, zone: null }, nextDate });
});

test.each([
  ['an hour of 24', { hours: 24, minutes: 0, zone: 'Europe/Paris' }],
  ['an hour as text', { hours: '9', minutes: 0, zone: 'Europe/Paris' }],
  ['a half hour', { hours: 9.5, minutes: 0, zone: 'Europe/Paris' }],
  ['a negative hour', { hours: -1, minutes: 0, zone: 'Europe/Paris' }],
  ['a minute of 20', { hours: 9, minutes: 20, zone: 'Europe/Paris' }],
  ['no minute', { hours: 9, zone: 'Europe/Paris' }],
  ['an unknown zone', { hours: 9, minutes: 0, zone: 'Europe/Tirelire' }],
  ['an offset as a zone', { hours: 9, minutes: 0, zone: '+01:00' }],
  ['neither zone nor offset', { hours: 9, minutes: 0 }],
  ['an offset with a colon', { hours: 9, minutes: 0, timeZone: '+01:00' }],
  ['an offset beyond the west', { hours: 9, minutes: 0, timeZone: '-1215' }],
  ['an offset beyond the east', { hours: 9, minutes: 0, timeZone: '+1415' }],
  ['an offset of seventy minutes', { hours: 9, minutes: 0, timeZone: '+0170' }],
  ['nothing', null],
])('%s is refused and the hour stays', async (_what, hour) => {
  const { status, body } = await save({ hour });
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'Invalid_Messenger' });
  expect(body.details[0].path).toMatch(/^\/hour/);
  const { body: me } = await ana.get('/users/me');
  expect(me.messengers[0].hour).toMatchObject({ hours: 9, minutes: 0, zone: 'Europe/Paris' });
});

test.each([
  ['empty', ''],
  ['of spaces', '  \n '],
  ['of 3,001 characters', 'é'.repeat(3001)],
  ['that is a number', 12],
])('a text %s is refused', async (_what, message) => {
  const { status, body } = await save({ message });
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'Invalid_Messenger' });
});

test('3,000 characters are taken, however many bytes they are', async () => {
  const message = '🐖'.repeat(3000);
  expect((await save({ message })).body.message).toBe(message);
  const { body } = await save({ message: `${message}!` });
  expect(body.details).toEqual([{ path: '/message', message: '3\u202f000 caractères au plus.' }]);
});

test('a zone that this machine does not know any more keeps its notification on the page', async () => {
  await app.services.database.sql
    .updateTable('messengers')
    .set({ zone: 'Mars/Olympus' })
    .where('id', '=', id)
    .execute();
  const { status, body } = await ana.get('/users/me');
  expect(status).toBe(200);
  expect(body.messengers[0]).toMatchObject({
    hour: { hours: 9, minutes: 0, zone: 'Mars/Olympus', timeZone: '+0100' },
    ...{ nextDate: null, nextDates: [] },
  });
  expect((await save({ message: 'Bonsoir' })).body.message).toBe('Bonsoir');
  const { body: refused } = await save({ days: [1] });
  expect(refused.details[0].path).toBe('/hour/zone');
  const { body: mended } = await save({ hour: { hours: 9, minutes: 0, zone: 'Europe/Paris' } });
  expect(mended.nextDate).toBe('2026-01-12T08:00:00.000Z');
});

test('an hour still to come today sends today', async () => {
  const { body } = await save({ hour: { hours: 8, minutes: 15, zone: 'Europe/Paris' } });
  expect(body.nextDate).toBe('2026-01-12T07:15:00.000Z');
});

test('after today’s message was planned, a changed hour sends again tomorrow', async () => {
  await app.services.database.sql
    .updateTable('messengers')
    .set({ planned_on: '2026-01-12' })
    .execute();
  app.clock.set('2026-01-12T08:05:00Z');
  const { body } = await save({ hour: { hours: 17, minutes: 45, zone: 'Europe/Paris' } });
  expect(body.nextDate).toBe('2026-01-13T16:45:00.000Z');
});

test('a text saved in the second in which the message is due does not skip that day', async () => {
  app.clock.set('2026-01-12T08:00:00.500Z');
  const { body } = await save({ message: 'juste à temps' });
  expect(body.nextDate).toBe('2026-01-12T08:00:00.000Z');
});

test('what is saved with a pause that is over does not skip the message that is due', async () => {
  await app.services.database.sql
    .updateTable('messengers')
    .set({ paused_until: '2026-01-12' })
    .where('id', '=', id)
    .execute();
  app.clock.set('2026-01-12T08:00:00.500Z');
  // As a client does that sends back all that it read: the pause is not shown any more.
  const { body } = await save({ message: 'juste à temps', pausedUntil: null });
  expect(body.nextDate).toBe('2026-01-12T08:00:00.000Z');
});

test('across a clock change the wall-clock hour stays, and its offset moves', async () => {
  await later('2026-03-28T12:00:00Z');
  const { body } = await save({ hour: { hours: 2, minutes: 30, zone: 'Europe/Paris' } });
  expect(body).toMatchObject({
    hour: { hours: 2, minutes: 30, timeZone: '+0200' },
    nextDate: '2026-03-29T01:30:00.000Z',
  });
});

test('a message that failed by our fault names the day of the next one, and none when there is none', async () => {
  const { database, randomness, clock } = app.services;
  await database.sql
    .insertInto('deliveries')
    .values({
      ...{ user_id: ana.id, messenger_id: id, local_date: '2026-01-12', id: randomness.uuid() },
      ...{ kind: 'daily', due_at: clock.now(), outcome: 'failed', reason: 'not_composed' },
      ...{ finished_at: clock.now(), created_at: clock.now() },
    })
    .execute();
  const fault = "Le message n'a pas pu être envoyé à cause d'une erreur de notre côté.";
  const said = async (change: object) => (await save(change)).body.lastDelivery.reason;
  expect(await said({ days: [1] })).toBe(`${fault} Nous réessaierons le 19 janvier.`);
  expect(await said({ days: [2] })).toBe(`${fault} Nous réessaierons demain.`);
  expect(await said({ days: [4] })).toBe(`${fault} Nous réessaierons le 15 janvier.`);
  expect(await said({ stopped: true })).toBe(fault);
  await save({ stopped: false, days: [1, 2, 3, 4, 5, 6, 7] });
});
