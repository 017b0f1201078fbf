import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatOf, fontaine } from '../browser/support/chat.ts';
import { type Demonstration, startDemonstration } from '../browser/support/demonstration.ts';
import { createPerson, type Person } from '../browser/support/person.ts';

let demo: Demonstration;
beforeAll(async () => {
  demo = await startDemonstration();
});
afterAll(() => demo.stop());

async function notify(person: Person, slackChannel: string): Promise<void> {
  const { id } = await person.addMessenger(await chatOf(demo).install());
  await person.changeMessenger(id, { slackChannel, message: 'Bonjour' });
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

test('two people with a message at one hour are each led to their own', async () => {
  const ana = await createPerson(demo);
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
