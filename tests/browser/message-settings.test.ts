import { expectNoOverflow } from '../screens/layout.ts';
import { expectAccessible } from './support/axe.ts';
import { fetchFont } from './support/font.ts';
import { closeNotices, save } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test('days, holidays, accounts and a pause are saved with Valider, and Reprendre ends the pause', async ({
  person,
  openAs,
  balancesCard: card,
}) => {
  await openAs(person);
  await card.getByText(/^Comptes\s*:/).click();
  await card.getByLabel('Comptes choisis').check();
  const boxes = card.getByRole('group', { name: 'Banque' }).getByRole('checkbox');
  await boxes.first().uncheck();
  await card.getByLabel('Inclure les nouveaux comptes').uncheck();
  await card.getByText("Pause, jours d'envoi, jours fériés").click();
  await card.getByRole('checkbox', { name: 'samedi' }).uncheck();
  await card.getByRole('checkbox', { name: 'dimanche' }).uncheck();
  await expect(card.getByRole('group', { name: 'du lundi au vendredi à' })).toBeVisible();
  await card.getByLabel('Jours fériés').selectOption('alsace-moselle');
  await card.getByLabel('En pause, sans date de reprise').check();
  await card.getByRole('button', { name: 'Valider' }).click();
  await expect(card.getByText("En pause, jusqu'à ce que vous repreniez")).toBeVisible();
  const [messenger] = (await person.me()).messengers;
  expect(messenger).toMatchObject({
    days: [1, 2, 3, 4, 5],
    holidays: 'alsace-moselle',
    stopped: true,
    accounts: { scope: 'chosen', includesNew: false },
    nextDates: [],
  });
  const [first] = await person.call<{ id: number }[]>(
    'GET',
    '/bridge/accounts?types[]=checking&stored=1',
  );
  expect(messenger?.accounts.chosen).not.toContain(first?.id);
  await card.getByRole('button', { name: 'Reprendre' }).click();
  await expect(card).toContainText(
    /du lundi au vendredi à 09:00 dans #\S+, sauf les jours fériés \(Alsace-Moselle\)/,
  );
  await expect(card).toContainText(/Prochain envoi .+ heure de Paris/);
  await expect(card).toContainText(/Puis .+, .+, .+ et .+/);
});

test('Reprendre drops a pause that was chosen and not saved, and leaves the rest to Valider', async ({
  page,
  person,
  savedCard: card,
}) => {
  const [messenger] = (await person.me()).messengers;
  await person.changeMessenger(messenger?.id ?? '', { stopped: true });
  await page.reload();
  await card.getByText("Pause, jours d'envoi, jours fériés").click();
  await card.getByLabel('En pause, reprise le').check();
  await card.getByLabel('Jour de la reprise').fill('2024-05-01');
  await card.getByLabel('Message').fill('Bonsoir');
  await card.getByRole('button', { name: 'Valider' }).click();
  await expect(card.getByLabel('Jour de la reprise')).toHaveAttribute('aria-invalid', 'true');
  await card.getByRole('button', { name: 'Reprendre' }).click();
  await expect(card.getByLabel('Actifs')).toBeChecked();
  await expect(card.getByText('Choisissez un jour à venir')).toHaveCount(0);
  await expect(card.getByText('Modifications non enregistrées.')).toBeVisible();
  await closeNotices(page);
  await save(card);
  const [saved] = (await person.me()).messengers;
  expect(saved).toMatchObject({ message: 'Bonsoir', stopped: false, pausedUntil: null });
});

test('the eye hides every amount, and is remembered', async ({
  page,
  person,
  bank,
  linked,
  clock,
  openAs,
  balancesCard: card,
}) => {
  await bank.history(person, linked.accounts, [90, 120, -100], await clock.now());
  await openAs(person);
  await page.getByRole('button', { name: 'Masquer les montants' }).click();
  const hidden = async () => {
    await card.getByLabel('Message').click();
    const preview = page.getByRole('group', { name: 'Aperçu' });
    await expect(preview).toContainText('Total ••••');
    await expect(preview).toContainText("Montants masqués à l'écran");
    await page
      .getByRole('button', { name: /^Historique de / })
      .first()
      .click();
    await page.getByText('Voir les valeurs').click();
    for (const name of ['Jour', 'Date du total']) {
      const slider = page.getByRole('slider', { name });
      await expect(slider).toHaveAttribute('aria-valuetext', /montant masqué/);
    }
    expect(await page.locator('[data-negative="true"], [data-sign="-1"]').count()).toBe(0);
    expect(await page.getByRole('main').innerText()).not.toMatch(/\d,\d\d/);
  };
  await hidden();
  await page.reload();
  await hidden();
  await page.getByRole('button', { name: 'Afficher les montants' }).click();
  await expect(page.getByRole('main')).toContainText(/\d,\d\d/);
  await expect(page.getByRole('group', { name: 'Aperçu' })).not.toContainText('masqués');
});

test('nothing that opens is out of reach for anybody, in light and dark, down to 320 px', async ({
  page,
  person,
  bank,
  linked,
  clock,
  openAs,
  balancesCard: card,
}) => {
  await bank.history(person, linked.accounts, [90, 120, -100], await clock.now());
  await page.setViewportSize({ width: 320, height: 800 });
  await fetchFont(page);
  await openAs(person);
  await page
    .getByRole('button', { name: /^Historique de / })
    .first()
    .click();
  // Its drawing is as wide as the card: what is written in it does not shrink as much.
  const written = page.locator('svg text');
  await expect(written.first()).toBeVisible();
  const heights = await written.evaluateAll((texts) =>
    texts.map((text) => text.getBoundingClientRect().height),
  );
  expect(Math.min(...heights)).toBeGreaterThan(11);
  await page.getByText('Voir les valeurs').click();
  await card.getByText(/^Comptes\s*:/).click();
  await card.getByLabel('Comptes choisis').check();
  await card.getByText("Pause, jours d'envoi, jours fériés").click();
  await card.getByLabel('En pause, reprise le').check();
  await card.getByLabel('Message').fill('*Total* {{total}} {{totl}} `code`\n{{soldes}}');
  await card.getByLabel('Message').pressSequentially(' {{');
  await expect(card.getByRole('listbox').getByRole('option').first()).toBeVisible();
  await expect(card.getByRole('group', { name: 'Aperçu' })).toContainText('Mise à jour');
  await expectAccessible(page, 'all that opens');
  await expectNoOverflow(page, 'all that opens');
});

test('transactions are told once their owner has seen what the channel will see', async ({
  page,
  person,
  openAs,
  balancesCard: card,
}) => {
  const [messenger] = (await person.me()).messengers;
  await person.changeMessenger(messenger?.id ?? '', { message: 'Bonjour' });
  await page.setViewportSize({ width: 320, height: 800 });
  await openAs(person);
  await card.getByText('À signaler, opérations').click();
  await expect(card.getByText('part tel quel, sans ces lignes')).toBeVisible();
  const transactions = card.getByRole('group', { name: 'Opérations depuis le dernier message' });
  await expect(transactions.getByLabel('Aucune')).toBeChecked();
  await transactions.getByRole('button', { name: 'Voir ce que le message montrerait' }).click();
  const seen = transactions.getByRole('status');
  await expect(seen).toContainText(/\d+ opérations?\s: [+−]/);
  await expect(seen).toContainText('la première ligne seulement');
  const [first = '', ...lines] = (await seen.locator('p').first().innerText()).split('\n');
  expect(lines.length).toBeGreaterThan(0);
  await transactions.getByLabel('Et les cinq plus grandes').check();
  await transactions.getByRole('button', { name: 'Ajouter {{operations}} au message' }).click();
  await expect(card.getByLabel('Message')).toHaveValue('Bonjour\n{{operations}}');
  await expect(card.getByText('part tel quel, sans ces lignes')).toHaveCount(0);
  const preview = page.getByRole('group', { name: 'Aperçu' });
  await expect(preview).toContainText(first);
  await expect(preview).toContainText(lines[0] ?? '');
  await save(card);
  expect((await person.me()).messengers[0]).toMatchObject({
    ...{ operations: 'lines', message: 'Bonjour\n{{operations}}' },
  });
  await transactions.getByLabel('Leur nombre et deux sommes').check();
  await expect(preview).toContainText(first);
  await expect(preview).not.toContainText(lines[0] ?? '');
  // What was read is not of another choice of accounts.
  await card.getByText(/^Comptes\s*:/).click();
  await card.getByLabel('Comptes choisis').check();
  const boxes = card.getByRole('group', { name: 'Banque' }).getByRole('checkbox');
  for (const box of await boxes.all()) await box.uncheck();
  await expect(preview).not.toContainText(first);
  await transactions.getByRole('button', { name: 'Voir ce que le message montrerait' }).click();
  await expect(seen).not.toContainText(/\d+ opérations?\s: [+−]/);
  await expect(seen).toContainText('la première ligne seulement');
  await expectAccessible(page, 'what a message tells');
  await expectNoOverflow(page, 'what a message tells');
});
