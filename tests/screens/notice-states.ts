import { expect } from '@playwright/test';
import type { Delivery } from '../../src/shared/contract/deliveries.ts';
import type { Messenger } from '../../src/shared/contract/messengers.ts';
import type { Me } from '../../src/shared/contract/users.ts';
import { bonnard, fontaine, lenoir } from '../browser/support/chat.ts';
import { savedMessenger } from './home-states.ts';
import type { Stage, State } from './state.ts';

/** What the cards of home may have to say about a bank, a chat or the network. */
export const noticeStates: State[] = [
  { name: 'home-bank-notices', show: bankNotices },
  { name: 'home-source-down', show: sourceDown },
  { name: 'home-chat-notices', show: chatNotices },
  { name: 'home-deliveries', show: deliveries },
  { name: 'home-offline', growsByPress: true, show: offline },
];

async function bankNotices({ page, person, bank, clock, openAs }: Stage): Promise<void> {
  const logins = ['1010', '402', '429', '1003', '1005', '1007', 'pro', 'stale'];
  const items: number[] = [];
  for (const [index, login] of logins.entries()) {
    const providerId = [574, 601, 602, 603, 604, 605][index % 6] ?? 574;
    items.push((await bank.link(person, { login, providerId })).itemId);
  }
  // An old figure and a consent that ends: two sentences in one card.
  const ends = new Date((await clock.now()).getTime() + 3 * 86_400_000).toISOString();
  await bank.setItem(items.at(-1) ?? 0, { authenticationExpiresAt: ends });
  await person.call('GET', '/bridge/items?fresh=1');
  await openAs(person);
  await expect(page.getByRole('article')).toHaveCount(logins.length);
}

/** The bank service does not answer; what it said before is there. */
async function sourceDown(stage: Stage): Promise<void> {
  const { page, person, bank, openAs } = stage;
  for (const providerId of [601, 603]) await bank.link(person, { providerId });
  await person.call('GET', '/bridge/items?fresh=1');
  await savedMessenger(stage);
  await bank.fail({ match: '/v3/aggregation', kind: 'status', status: 503 });
  await openAs(person);
  await expect(page.getByText("n'ont pas pu être actualisées")).toBeVisible();
}

/** Every reason for which a notification sends nothing, as the server words them. */
async function chatNotices(stage: Stage): Promise<void> {
  const { page, person, chat, openAs } = stage;
  await savedMessenger(stage);
  for (const team of [lenoir, bonnard, lenoir, bonnard]) {
    const { id } = await person.addMessenger(await chat.install(team.id));
    await person.changeMessenger(id, { slackChannel: team.general, message: 'Total : {{total}}' });
  }
  const since = new Date().toISOString();
  const none = { nextDate: null, nextDates: [] };
  await patchMessengers(page, [
    { ...none, connected: false },
    {
      ...none,
      pause: {
        reason: 'not_in_channel',
        sentence:
          "Notre bot n'est pas dans ce channel. Invitez-y le bot, ou choisissez un autre channel.",
        action: 'choose-channel',
        since,
      },
    },
    {
      ...none,
      pause: {
        reason: 'no_permission',
        sentence:
          "Cet espace de travail Slack ne nous permet pas d'envoyer ce message. Demandez à son administrateur d'autoriser l'application, puis reprenez les envois.",
        action: 'resume',
        since,
      },
    },
    { ...none, stopped: true },
    { ...none, pausedUntil: new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10) },
  ]);
  await openAs(person);
  await expect(page.getByRole('button', { name: 'Choisir un autre channel' })).toBeVisible();
  await expect(page.getByText('En pause, reprise le')).toBeVisible();
}

/** How a sending may end. */
async function deliveries(stage: Stage): Promise<void> {
  const { page, person, chat, openAs } = stage;
  await savedMessenger(stage);
  for (const team of [lenoir, bonnard, fontaine, lenoir]) {
    const { id } = await person.addMessenger(await chat.install(team.id));
    await person.changeMessenger(id, { slackChannel: team.general, message: 'Total : {{total}}' });
  }
  const ended = (change: Partial<Delivery>): Partial<Messenger> => ({
    lastDelivery: {
      id: 'last',
      kind: 'daily',
      dueDate: new Date(Date.now() - 3_600_000).toISOString(),
      sentDate: null,
      outcome: 'pending',
      lateSeconds: null,
      resends: 0,
      reason: null,
      channelName: null,
      ...change,
    },
  });
  await patchMessengers(page, [
    ended({
      outcome: 'delivered',
      sentDate: new Date(Date.now() - 2_880_000).toISOString(),
      lateSeconds: 720,
      resends: 1,
    }),
    ended({
      outcome: 'missed',
      reason: "Slack ne répondait pas. Nous avons réessayé jusqu'à ce qu'il soit trop tard.",
    }),
    ended({
      outcome: 'uncertain',
      reason: 'Slack a peut-être reçu ce message : vérifiez dans le channel.',
    }),
    ended({
      outcome: 'failed',
      reason: 'Ce message est trop long pour Slack.',
    }),
    ended({}),
  ]);
  await openAs(person);
  await expect(page.getByText('Dernier envoi')).toHaveCount(5);
}

async function offline(stage: Stage): Promise<void> {
  const { page, person, bank, openAs } = stage;
  await bank.link(person);
  await savedMessenger(stage);
  await openAs(person);
  await expect(page.getByRole('article')).toHaveCount(2);
  await page.context().setOffline(true);
  await expect(page.getByText('Vous êtes hors ligne.')).toBeVisible();
}

/** What takes a day and a failing chat to come about, in the server's own answer. */
async function patchMessengers(page: Stage['page'], changes: Partial<Messenger>[]): Promise<void> {
  await page.route('**/api/users/me', async (route) => {
    const response = await route.fetch();
    const me = (await response.json()) as Me;
    const messengers = me.messengers.map((one, index) => ({ ...one, ...changes[index] }));
    await route.fulfill({ response, json: { ...me, messengers } });
  });
}
