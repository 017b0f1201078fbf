import type { Locator } from '@playwright/test';
import type { Channel, Messenger } from '../../src/shared/contract/messengers.ts';
import { send } from './support/api.ts';
import { lenoir } from './support/chat.ts';
import { mailsTo } from './support/mailbox.ts';
import { messengerCard } from './support/steps.ts';
import { test as base, expect } from './support/test.ts';

interface Fixtures {
  /** The card of a complete notification, once its page is open. */
  card: Locator;
  /** Moves the clock to the next sending and waits until it ended. */
  passSending(): Promise<void>;
}

const test = base.extend<Fixtures>({
  card: async ({ page, person, chat }, use) => {
    const { id } = await person.addMessenger(await chat.install(lenoir.id));
    const change = { slackChannel: lenoir.general, message: 'Le point du matin' };
    await person.changeMessenger(id, change);
    await use(messengerCard(page, lenoir.name));
  },
  passSending: async ({ person, clock }, use) =>
    use(async () => {
      const { nextDate } = (await person.me()).messengers[0] ?? {};
      await clock.advanceTo(new Date(nextDate ?? ''));
      await expect(async () => {
        const { lastDelivery } = (await person.me()).messengers[0] ?? {};
        expect(lastDelivery?.dueDate).toBe(nextDate);
        expect(lastDelivery?.outcome).not.toBe('pending');
      }).toPass();
    }),
});

test.use({ demoName: 'moving clock' });

test('what pauses a notification, and what resumes it', async ({
  page,
  person,
  chat,
  demo,
  openAs,
  card,
  passSending,
}) => {
  const channel = card.getByRole('combobox', { name: 'Channel' });

  await test.step('a removed bot shows Reconnecter Slack, keeps the settings, and resumes once it is back', async () => {
    await chat.uninstall(lenoir.id);
    // Slack says so by itself: nothing has to be sent in vain before.
    await expect.poll(async () => (await person.me()).messengers[0]?.nextDate).toBeNull();
    await openAs(person);
    await expect(card).toContainText('Reconnectez Slack');
    await expect(card.getByLabel('Message')).toHaveValue('Le point du matin');
    await expect(channel).toContainText('#général');
    await card.getByRole('link', { name: 'Reconnecter Slack' }).click();
    await page.getByRole('radio', { name: new RegExp(lenoir.name) }).check();
    await page.getByRole('button', { name: 'Autoriser' }).click();
    await expect(
      page.getByText("L'espace de travail Slack Cabinet Lenoir est de nouveau connecté"),
    ).toBeVisible();
    await expect(page).toHaveURL('/');
    await expect(card).toHaveCount(1);
    await expect(card).toContainText('Prochain envoi');
    await expect(card.getByLabel('Message')).toHaveValue('Le point du matin');
    const before = (await chat.texts(lenoir.id, lenoir.general)).length;
    await passSending();
    expect(await chat.texts(lenoir.id, lenoir.general)).toHaveLength(before + 1);
  });

  await test.step('a refusal that an administrator can lift is resumed with Reprendre', async () => {
    await chat.fail({
      kind: 'error',
      code: 'no_permission',
      method: 'chat.postMessage',
      times: null,
    });
    await passSending();
    await chat.recover();
    await page.reload();
    await expect(card).toContainText('reprenez les envois');
    await card.getByRole('button', { name: 'Reprendre' }).click();
    await expect(card).toContainText('Prochain envoi');
    await expect(card.getByRole('button', { name: 'Reprendre' })).toHaveCount(0);
    await expect(card).toBeFocused();
  });

  await test.step('a channel that was archived pauses the notification, says why, and choosing another resumes', async () => {
    await chat.setChannel(lenoir.id, lenoir.general, { isArchived: true });
    await passSending();
    await page.reload();
    await expect(card).toContainText('Ce channel est archivé. Choisissez-en un autre.');
    await expect(card).toContainText('Aucun envoi prévu');
    await card.getByRole('button', { name: 'Choisir un autre channel' }).click();
    await page.getByRole('combobox', { name: 'Rechercher' }).fill('tréso');
    await page.getByRole('option', { name: '#trésorerie', exact: true }).click();
    await card.getByRole('button', { name: 'Valider' }).click();
    await expect(card).toContainText('Prochain envoi');
    await expect(card.getByRole('button', { name: 'Choisir un autre channel' })).toHaveCount(0);
    await chat.setChannel(lenoir.id, lenoir.general, { isArchived: false });
  });

  await test.step('its owner gets a mail that leads back to the dashboard', async () => {
    await expect(async () => {
      const mails = await mailsTo(demo, person.email);
      const mail = mails.find(({ body }) => body.includes('archivé'));
      expect(mail?.body).toContain(`${demo.url}/`);
    }).toPass({ intervals: [100] });
  });
});

test('a bot whose token has ended is linked anew, and asks for no channel but its own', async ({
  page,
  person,
  demo,
  openAs,
  passSending,
}) => {
  const [server = ''] = demo.otherChatUrls;
  await page.goto(server);
  const token = (await page.locator('.token').textContent()) ?? '';
  const body = { values: { address: server, token } };
  const { id } = await person.call<Messenger>('POST', '/messengers/chats/mattermostbot/link', body);
  const listed = `/messengers/mattermostbot/channels?messengerId=${id}`;
  const [channel] = await person.call<Channel[]>('GET', listed);
  await person.changeMessenger(id, { slackChannel: channel?.id ?? '', message: 'Bonjour' });
  const ended = { code: 'api.context.session_expired.app_error', extra: { status: 401 } };
  await send('POST', `${server}/_control/addFault`, { body: [{ kind: 'error', ...ended }] });
  await passSending();
  await openAs(person);
  const card = messengerCard(page, 'Association des Lilas');
  await card.getByRole('button', { name: 'Relier de nouveau' }).click();
  await page.getByLabel('Adresse du serveur').fill(server);
  await page.getByLabel('Jeton du bot').fill(token);
  await page.getByRole('dialog').getByRole('button', { name: 'Relier' }).click();
  const notice = page.getByRole('region', { name: 'Avis' }).getByRole('alert');
  await expect(notice).toHaveText('Tirelire est reliée à Association des Lilas.');
  await expect(card).toContainText(`dans #${channel?.name}`);
});
