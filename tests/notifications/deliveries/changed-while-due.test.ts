import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorker } from '../../../src/server/app/worker.ts';
import { type Application, startApplicationOn } from '../../support/application.ts';
import type { Person } from '../../support/person.ts';
import { connectSlack } from '../../support/slack.ts';
import { quick } from './quick.ts';

let app: Application;
let person: Person;
let ids: string[];

/** At 08:00 in Paris since the 12th; no worker claims anything before the tests let one. */
const hour = { hours: 8, minutes: 0, timeZone: '+0100', zone: 'Europe/Paris' };
const changes: [name: string, change: object | null, today: string][] = [
  ['nothing', null, 'missed'],
  ['the text', { message: 'Autre' }, 'missed'],
  ['the days', { days: [1, 2, 3, 4, 5] }, 'missed'],
  ['a pause of a week', { pausedUntil: '2026-01-25' }, 'missed'],
  ['a pause without end', { stopped: true }, 'missed'],
  ['the holidays', { holidays: 'metropole' }, 'missed'],
  ['a later hour of the same day', { hour: { ...hour, hours: 16 } }, 'delivered'],
];

beforeAll(async () => {
  app = await startApplicationOn('postgres');
  app.clock.set('2026-01-12T05:00:00Z');
  person = await app.signUp();
  const { id } = await connectSlack(app, person, 'T0FONTAINE');
  ids = [id];
  while (ids.length < changes.length) ids.push((await person.post('/messengers', {})).body.id);
  const text = { slackChannel: 'C0FGENERAL0', message: 'Bonjour' };
  for (const one of ids) await person.patch(`/messengers/${one}`, { ...text, hour });
});
afterAll(() => app.close());

async function outcomesOf(id: string): Promise<string[]> {
  const { body } = await person.get(`/messengers/${id}/deliveries`);
  const days = body.deliveries as { dueDate: string; outcome: string }[];
  return days.map(({ dueDate, outcome }) => `${dueDate.slice(8, 13)} ${outcome}`);
}

test('a notification that is newer than the days without a worker has missed none of them', async () => {
  app.clock.set('2026-01-14T12:00:00Z');
  const { id } = (await person.post('/messengers', {})).body;
  const text = { slackChannel: 'C0FGENERAL0', message: 'Bonjour' };
  await person.patch(`/messengers/${id}`, { ...text, hour });
  app.clock.set('2026-01-14T13:00:00Z');
  for (const change of [{ days: [1, 2] }, { stopped: true }]) {
    await person.patch(`/messengers/${id}`, change);
    expect(await outcomesOf(id)).toEqual([]);
  }
});

test('days without a worker are accounted for, whatever was changed meanwhile', async () => {
  app.clock.set('2026-01-14T13:59:00Z');
  for (const [index, [name, change]] of changes.entries()) {
    if (!change) continue;
    const { status } = await person.patch(`/messengers/${ids[index]}`, change);
    expect([name, status]).toEqual([name, 200]);
  }
  app.clock.set('2026-01-14T15:00:10Z');
  const worker = await startWorker(app.services, quick);
  for (const [index, [name, , today]] of changes.entries()) {
    const last = today === 'delivered' ? '14T15 delivered' : '14T07 missed';
    await expect
      .poll(() => outcomesOf(ids[index] ?? ''), { message: name, timeout: 60_000 })
      .toEqual([last, '13T07 missed', '12T07 missed']);
  }
  await worker.stop();
});

test('a sending that is not late yet gives way to a change of the minute in which it is due', async () => {
  const { body } = await person.post('/messengers', {});
  const text = { slackChannel: 'C0FGENERAL0', message: 'Bonjour' };
  await person.patch(`/messengers/${body.id}`, { ...text, hour: { ...hour, hours: 17 } });
  app.clock.set('2026-01-14T16:00:20Z');
  await person.patch(`/messengers/${body.id}`, { stopped: true });
  expect(await outcomesOf(body.id)).toEqual([]);
});
