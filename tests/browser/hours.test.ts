import type { Locator } from '@playwright/test';
import { fontaine } from './support/chat.ts';
import { messengerCard, save } from './support/steps.ts';
import { test as base, expect } from './support/test.ts';

/** The card of a notification at 08:30 in a zone, Paris unless told otherwise, on the open home page. */
const test = base.extend<{ card: Locator; zone: string }>({
  zone: ['Europe/Paris', { option: true }],
  card: async ({ page, person, chat, zone, openAs }, use) => {
    const { id } = await person.addMessenger(await chat.install());
    await person.changeMessenger(id, {
      slackChannel: fontaine.general,
      message: 'Bonjour',
      hour: { hours: 8, minutes: 30, zone },
    });
    await openAs(person);
    await use(messengerCard(page));
  },
});

test.describe('in the zone of the notification', () => {
  test.use({ timezoneId: 'Europe/Paris' });

  test('the picker names the zone and announces nothing', async ({ card }) => {
    const picker = card.getByRole('group', { name: 'Tous les jours de la semaine à' });
    await expect(picker).toHaveAccessibleDescription('Heure de Paris');
  });
});

test.describe('in the zone of the notification, by another name', () => {
  test.use({ timezoneId: 'Asia/Calcutta', zone: 'Asia/Kolkata' });

  test('an hour that is taken back is no change', async ({ card }) => {
    const picker = card.getByRole('group', { name: 'Tous les jours de la semaine à' });
    await expect(picker).toHaveAccessibleDescription('Heure de Kolkata');
    await card.getByLabel('Heures').selectOption('7');
    await expect(card.getByText('Modifications non enregistrées.')).toBeVisible();
    await card.getByLabel('Heures').selectOption('8');
    await expect(card.getByText('Modifications non enregistrées.')).toHaveCount(0);
  });
});

test.describe('in another zone', () => {
  test.use({ timezoneId: 'Pacific/Noumea' });

  test('the picker shows the stored hour, says what a change will do, then does it', async ({
    page,
    person,
    card,
  }) => {
    await test.step('saving the text keeps the zone of before', async () => {
      await card.getByLabel('Message').fill('Seulement le texte');
      await save(card);
      expect((await person.me()).messengers[0]?.hour.zone).toBe('Europe/Paris');
    });

    const picker = card.getByRole('group', { name: 'Tous les jours de la semaine à' });
    await expect(card.getByLabel('Heures')).toHaveValue('8');
    await expect(picker).toHaveAccessibleDescription(
      "Heure de Paris. Si vous changez l'heure, l'envoi suivra celle de votre appareil\u202f: heure de Nouméa.",
    );
    await expect(card).toContainText(/Prochain envoi \S+ à 08:30, heure de Paris/);
    await card.getByLabel('Heures').selectOption('7');
    await expect(picker).toHaveAccessibleDescription('Heure de Nouméa');
    const request = page.waitForRequest((one) => one.method() === 'PATCH');
    await card.getByRole('button', { name: 'Valider' }).click();
    expect((await request).postDataJSON()).toEqual({
      hour: { hours: 7, minutes: 30, timeZone: '+1100', zone: 'Pacific/Noumea' },
    });
    await expect(card).toContainText(/Prochain envoi \S+ à 07:30, heure de Nouméa/);
  });
});
