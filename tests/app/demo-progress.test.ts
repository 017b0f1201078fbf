import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayMs } from '../../src/shared/calendar/durations.ts';
import { chatOf, fontaine } from '../browser/support/chat.ts';
import { type Demonstration, startDemonstration } from '../browser/support/demonstration.ts';
import { createPerson, type Person } from '../browser/support/person.ts';

let demo: Demonstration;
let ana: Person;
beforeAll(async () => {
  demo = await startDemonstration();
  ana = await createPerson(demo);
});
afterAll(() => demo.stop());

async function notify(person: Person, slackChannel: string): Promise<void> {
  const { id } = await person.addMessenger(await chatOf(demo).install());
  await person.changeMessenger(id, { slackChannel, message: 'Bonjour' });
}

/** What the clock's button says comes next, once it was pressed. */
async function nextAfter(move: string): Promise<string | null> {
  const body = new URLSearchParams({ move });
  await fetch(`${demo.pageUrl}/_control/clock`, { method: 'POST', body });
  return await nextSending();
}

async function nextSending(): Promise<string | null> {
  const state = await (await fetch(`${demo.pageUrl}/_control/clock`)).json();
  return state.nextSending;
}

/** The links to messages on the page to which the clock's button leads, as "address words". */
async function linksAfter(move: string): Promise<string[]> {
  const body = new URLSearchParams({ move });
  const page = await (await fetch(`${demo.pageUrl}/clock`, { method: 'POST', body })).text();
  const [, status = ''] = /role="status">([\s\S]*?)<\/div>/.exec(page) ?? [];
  return [...status.matchAll(/href="[^"]*\/(\w+)">(Lire [^<]+)</g)].map(
    ([, channel, words]) => `${channel} ${words}`,
  );
}

test('what is planned is what the cards say, also of tomorrow and after a pause', async () => {
  const { id } = await ana.addMessenger(await chatOf(demo).install());
  expect(await nextSending()).toBeNull();
  const general = { slackChannel: fontaine.general, message: 'Bonjour' };
  const { nextDate } = await ana.changeMessenger(id, general);
  expect(await nextSending()).toBe(nextDate);
  const day = Date.parse((await nextAfter('next-sending')) ?? '');
  const later = await ana.changeMessenger(id, {
    hour: { hours: 23, minutes: 45, zone: 'Europe/Paris' },
  });
  expect(Date.parse(later.nextDate ?? '')).toBeGreaterThan(day);
  expect(await nextSending()).toBe(later.nextDate);
  const resumeOn = new Date(day + 3 * dayMs).toISOString().slice(0, 10);
  const paused = await ana.changeMessenger(id, { pausedUntil: resumeOn });
  expect(await nextSending()).toBe(paused.nextDate);
  await ana.deleteMessenger(id);
});

test('two people with a message at one hour are each led to their own', async () => {
  await notify(ana, fontaine.general);
  expect(await linksAfter('next-sending')).toEqual([
    `${fontaine.general} Lire le message dans #général`,
  ]);
  const basile = await createPerson(demo);
  await notify(basile, fontaine.treasury);
  expect(await linksAfter('next-sending')).toEqual([
    `${fontaine.treasury} Lire le message dans #trésorerie (${basile.email})`,
    `${fontaine.general} Lire le message dans #général (${ana.email})`,
  ]);
  await basile.call('PATCH', '/users/me', { firstname: 'Basile', lastname: 'Petit' });
  expect(await linksAfter('next-sending')).toEqual([
    `${fontaine.treasury} Lire le message dans #trésorerie (Basile Petit)`,
    `${fontaine.general} Lire le message dans #général (Camille Durand)`,
  ]);
});
