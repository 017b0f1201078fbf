import { expectNoOverflow, expectTargetSizes } from '../screens/layout.ts';
import { expectAccessibleTwice } from './support/axe.ts';
import { boxesOf } from './support/boxes.ts';
import { fontaine } from './support/chat.ts';
import { bankCards, messengerCard, remove } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test.use({ demoName: 'moving clock' });

test('somebody sets an alert by keyboard, is told in the chat, changes it and removes it', async ({
  page,
  person,
  linked,
  bank,
  chat,
  clock,
  openAs,
}) => {
  // Alerts are told by day.
  const tomorrow = new Date((await clock.now()).getTime() + 86_400_000);
  tomorrow.setUTCHours(10, 0, 0, 0);
  await clock.advanceTo(tomorrow);
  const { id } = await person.addMessenger(await chat.install());
  const saved = { slackChannel: fontaine.treasury, message: 'Bonjour' };
  await person.changeMessenger(id, saved);
  await openAs(person);
  const card = messengerCard(page);
  await card.getByText('Alertes', { exact: true }).focus();
  await page.keyboard.press('Enter');
  const amount = card.getByLabel('Montant (EUR)');
  await expect(card.getByText(/au moins une fois par heure, de 07:00 à 22:00/)).toBeVisible();

  const [channel, below] = await boxesOf(card.getByRole('combobox', { name: 'Channel' }), amount);
  expect(below).toMatchObject({ x: channel.x, width: channel.width });

  await card.getByRole('button', { name: "Ajouter l'alerte" }).click();
  await expect(amount).toBeFocused();
  await expect(amount).toHaveAccessibleDescription(/Donnez un montant/);
  await page.keyboard.type('1 000,505');
  await page.keyboard.press('Enter');
  await expect(amount).toHaveAccessibleDescription('Un montant en EUR a deux décimales au plus.');
  await amount.fill('1 000,50');
  await expect(card.getByText(/Une alerte s'enregistre ici, sans passer par/)).toBeVisible();
  await page.keyboard.press('Enter');
  const alerts = card.getByRole('list', { name: 'Alertes' }).getByRole('listitem');
  await expect(alerts).toHaveCount(1);
  // Enter saves the alert and not the notification around it.
  await expect(page.getByText('Modifications sur la notification enregistrées')).toBeHidden();
  await expect(alerts).toContainText(/Compte courant \(.+\)\s*: prévenir sous 1\s000,50\s€/);
  await expect(card.getByRole('button', { name: 'Ajouter une alerte' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(card.getByLabel('À surveiller')).toBeFocused();
  await card.getByRole('button', { name: 'Annuler' }).press('Enter');
  await expect(card.getByRole('button', { name: 'Ajouter une alerte' })).toBeFocused();

  const now = await clock.now();
  const balance = { balance: 12.34, updated_at: now.toISOString() };
  await bank.setAccount(linked.accounts[0] ?? 0, balance);
  // Nobody looks at a page: the alert alone has it read.
  await clock.advanceTo(new Date(now.getTime() + 62 * 60_000));
  await expect
    .poll(() => chat.texts(fontaine.id, fontaine.treasury))
    .toContainEqual(
      expect.stringMatching(/^Compte courant .* est passé sous 1\s000,50\s€.* 12,34\s€/),
    );
  await page.reload();
  await card.getByText('Derniers envois').click();
  await expect(card.getByText(/^envoyé aujourd'hui à .*, alerte\./i)).toBeVisible();
  await card.getByText('Alertes', { exact: true }).click();
  await expect(alerts).toContainText(/possible une fois remonté à 1\s050,53\s€/);
  await expectAccessibleTwice(page, 'alerts');
  await expectNoOverflow(page, 'alerts');
  await expectTargetSizes(page, 'alerts');

  await alerts.getByTitle('Modifier').click();
  const own = alerts.getByLabel('Montant (EUR)');
  await expect(own).toHaveValue(/1\s000,50/);
  await alerts.getByLabel('Mouvement de plus de').check();
  await own.fill('0');
  await page.keyboard.press('Enter');
  await expect(own).toHaveAccessibleDescription(/plus grand que zéro/);
  await own.fill('300');
  await page.keyboard.press('Enter');
  await expect(alerts).toContainText(/mouvement de plus de 300,00\s€/);
  await alerts.getByTitle('Supprimer').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click();
  await expect(alerts).toHaveCount(0);

  // With its bank an account goes that could be watched: no other takes its place unasked.
  await bank.link(person, { providerId: 10_002 });
  await page.reload();
  await expect(bankCards(page)).toHaveCount(2);
  await card.getByText('Alertes', { exact: true }).click();
  const name = await bankCards(page).first().getByRole('heading').innerText();
  const subject = card.getByLabel('À surveiller');
  const gone = subject.locator('option', { hasText: `(${name})` });
  await subject.selectOption((await gone.first().getAttribute('value')) ?? '');
  await amount.fill('500');
  // Closed and opened, it is as it was.
  for (const isShown of [false, true]) {
    await card.getByText('Alertes', { exact: true }).click();
    await expect(amount).toBeVisible({ visible: isShown });
  }
  await expect(amount).toHaveValue('500');
  await remove(bankCards(page).first());
  await expect(gone).toHaveCount(0);
  const add = card.getByRole('button', { name: "Ajouter l'alerte" });
  await add.click();
  await expect(subject).toBeFocused();
  await expect(subject).toHaveAccessibleDescription(
    "Ce compte n'est plus relié. Choisissez-en un autre.",
  );
  await subject.selectOption({ index: 1 });
  const shown = await subject.locator('option:checked').innerText();
  await add.click();
  await expect(alerts).toContainText(shown);
  await remove(bankCards(page));
  const advice = card.getByText("Reliez d'abord une banque");
  await expect(advice).toHaveText("Reliez d'abord une banque dont un solde est à surveiller.");

  const day = (await clock.now()).toISOString().slice(0, 10);
  const typed = { name: 'Caisse', currency_code: 'EUR', balance: 12, day };
  await person.call('POST', '/banks/sources/manual/accounts', typed);
  await page.reload();
  await card.getByText('Alertes', { exact: true }).click();
  await expect(advice).toContainText("Les comptes saisis ou importés ne déclenchent pas d'alerte.");
});

test('an alert that is gone meanwhile leaves the list at the try to change or delete it', async ({
  page,
  person,
  linked: _linked,
  savedCard: card,
}) => {
  await expect(bankCards(page)).toContainText('(EUR)');
  const [messenger] = (await person.me()).messengers;
  const path = `/messengers/${messenger?.id}/alerts`;
  const rule = { kind: 'below', account: null, currency_code: 'EUR' };
  const add = (amount: number) => person.call<{ id: string }>('POST', path, { ...rule, amount });
  const [low, high] = [await add(100), await add(200)];
  await card.getByText('Alertes', { exact: true }).click();
  const alerts = card.getByRole('list', { name: 'Alertes' }).getByRole('listitem');
  await expect(alerts).toHaveCount(2);
  await person.call('DELETE', `${path}/${low.id}`);
  await remove(alerts.filter({ hasText: '100,00' }));
  await expect(page.getByText("L'alerte a été supprimée")).toBeVisible();
  await expect(alerts).toHaveCount(1);
  await expect(card.locator(':focus')).toHaveCount(1);
  await alerts.getByTitle('Modifier').click();
  await alerts.getByLabel('Montant (EUR)').fill('300');
  await person.call('DELETE', `${path}/${high.id}`);
  await alerts.getByRole('button', { name: "Enregistrer l'alerte" }).click();
  await expect(page.getByText("Cet élément n'existe pas ou plus.")).toBeVisible();
  await expect(alerts).toHaveCount(0);
  await expect(card.locator(':focus')).toHaveCount(1);
});
