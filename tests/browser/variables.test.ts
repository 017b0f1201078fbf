import { save } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test('a wrong variable is named, and mended by its button', async ({
  page,
  person,
  openAs,
  balancesCard: card,
}) => {
  await openAs(person);
  const text = card.getByLabel('Message');
  await text.fill('Voici {{totl}}');
  await card.getByRole('button', { name: 'Valider' }).click();
  await expect(page.getByRole('alert')).toContainText("{{totl}} n'existe pas");
  await card.getByRole('button', { name: 'Écrire {{total}}' }).click();
  await expect(text).toHaveValue('Voici {{total}}');
  await expect(text).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(text).toHaveValue('Voici {{totl}}');
  await page.keyboard.press('Control+Shift+z');
  await save(card);
  expect((await person.me()).messengers[0]?.message).toBe('Voici {{total}}');
});

test('the menu of variables needs no mouse, and tells a screen reader what it offers', async ({
  page,
  person,
  openAs,
  balancesCard: card,
}) => {
  await openAs(person);
  const text = card.getByLabel('Message');
  await text.fill('');
  await text.pressSequentially('{{');
  const options = card.getByRole('listbox').getByRole('option');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await expect(card.getByText(/variables\. Flèches pour parcourir/)).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  const chosen = await text.getAttribute('aria-activedescendant');
  await expect(page.locator(`[id="${chosen}"]`)).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator(`[id="${chosen}"]`)).toContainText('{{total}}');
  await page.keyboard.press('Escape');
  await expect(options).toHaveCount(0);
  await expect(text).toHaveValue('{{');
  await page.keyboard.type('da');
  await page.keyboard.press('Tab');
  await expect(text).toHaveValue('{{date}}');
  await expect(text).toBeFocused();
  // Without a list the arrows are those of the text.
  await text.pressSequentially('\n{{zz');
  await expect(card.getByText('Aucune variable ne correspond.')).toHaveCount(1);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Home');
  await page.keyboard.type('Le ');
  await expect(text).toHaveValue('Le {{date}}\n{{zz');
});

test('a variable that is asked for before the text was touched comes at its end', async ({
  person,
  openAs,
  balancesCard: card,
}) => {
  await openAs(person);
  const text = card.getByLabel('Message');
  const button = card.getByRole('button', { name: 'Insérer une variable' });
  const option = (name: string) => card.getByRole('listbox').getByRole('option', { name });
  await button.click();
  await option('{{date}}').click();
  await expect(text).toHaveValue('Total {{total}}\n{{soldes}} {{date}}');
  // From then on the caret stands where the person put it.
  await text.press('Control+Home');
  await button.click();
  await option('{{banque}}').click();
  await expect(text).toHaveValue('{{banque}}Total {{total}}\n{{soldes}} {{date}}');
});

test('a variable begun before the menu was loaded opens it all the same', async ({
  page,
  person,
  openAs,
  balancesCard: card,
}) => {
  const typed = Promise.withResolvers<void>();
  await page.route(/MessageTools/, async (route) => {
    await typed.promise;
    await route.continue();
  });
  await openAs(person);
  const text = card.getByLabel('Message');
  await expect(text).toBeVisible();
  await text.press('Control+End');
  await text.pressSequentially(' {{');
  typed.resolve();
  await expect(card.getByRole('listbox').getByRole('option').first()).toBeVisible();
});

test('a change that is known stays in the preview while the server refuses to draw it', async ({
  page,
  person,
  bank,
  linked,
  clock,
  openAs,
  balancesCard: card,
}) => {
  await bank.history(person, linked.accounts, [90, 120], await clock.now());
  await openAs(person);
  const text = card.getByLabel('Message');
  const preview = page.getByRole('group', { name: 'Aperçu' });
  await text.fill('Total {{variation}}');
  await expect(preview).toContainText('depuis hier');
  const refused = () => page.waitForResponse((response) => response.status() === 503);
  await page.route('**/messengers/*/preview', (route) => route.fulfill({ status: 503, json: {} }));
  const [first] = await Promise.all([refused(), text.fill('Solde {{variation}}')]);
  await first.finished();
  await text.fill('Reste {{variation}}');
  await expect(preview).toContainText('Reste');
  expect(await preview.innerText()).toContain('depuis hier');
  await page.unroute('**/messengers/*/preview');
});
