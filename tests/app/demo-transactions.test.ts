import { afterAll, beforeAll, expect, test } from 'vitest';
import { bankOf } from '../browser/support/bank.ts';
import { chatOf, fontaine } from '../browser/support/chat.ts';
import { type Demonstration, startDemonstration } from '../browser/support/demonstration.ts';
import { createPerson } from '../browser/support/person.ts';

let demo: Demonstration;
beforeAll(async () => {
  demo = await startDemonstration();
});
afterAll(() => demo.stop());

test('a message to which the clock was moved tells the transactions before it', async () => {
  const [bank, chat, person] = [bankOf(demo), chatOf(demo), await createPerson(demo)];
  await bank.link(person);
  await person.call('GET', '/bridge/items?fresh=1');
  const { id } = await person.addMessenger(await chat.install());
  await person.changeMessenger(id, {
    ...{ slackChannel: fontaine.general, message: '{{operations}}', operations: 'sums' },
  });
  // Longer than the second in which the clock comes to the sending.
  await bank.fail({ match: '/transactions', kind: 'delay', ms: 1500 });
  for (const move of ['next-sending', 'day']) {
    const before = await chat.texts(fontaine.id, fontaine.general);
    await fetch(`${demo.pageUrl}/_control/clock`, {
      method: 'POST',
      body: new URLSearchParams({ move }),
    });
    const told = (await chat.texts(fontaine.id, fontaine.general)).slice(before.length);
    expect(told).toEqual([expect.stringMatching(/opération/)]);
    expect(told[0]).not.toMatch(/non lues/);
  }
});
