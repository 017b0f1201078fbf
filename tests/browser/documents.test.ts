import { expectAccessibleTwice } from './support/axe.ts';
import { operator } from './support/demonstration.ts';
import { expect, test } from './support/test.ts';

const documents = [
  ["Conditions Générales d'Utilisation", '/cgu'],
  ['Confidentialité', '/confidentialite'],
  ['Mentions légales', '/mentions-legales'],
  ['Accessibilité', '/accessibilite'],
] as const;

test('what is to be read', async ({ page, person, openAs }) => {
  const foot = 'the foot of every page leads to what is to be read, signed in or not';
  await test.step(foot, async () => {
    await page.goto('/login');
    for (const [title, path] of documents) {
      await page.getByRole('contentinfo').getByRole('link', { name: title }).click();
      await expect(page).toHaveURL(path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
      await expect(page).toHaveTitle(`${title} · Tirelire`);
    }
    await openAs(person, '/confidentialite');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confidentialité');
    const told = 'À Bridge, un identifiant, et votre adresse email quand vous ajoutez une banque.';
    await expect(page.getByRole('main')).toContainText(told);
  });

  await test.step('who runs this installation is named where people look for it', async () => {
    for (const title of ['Confidentialité', 'Mentions légales', 'Accessibilité']) {
      await page.getByRole('contentinfo').getByRole('link', { name: title }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
      await expect(page.getByRole('main').getByText(operator.name).first()).toBeVisible();
    }
  });

  await test.step('what a page names is a link: another page, an authority, the mailbox of who runs it', async () => {
    const link = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true });
    await expect(link('www.defenseurdesdroits.fr')).toHaveAttribute(
      'href',
      'https://www.defenseurdesdroits.fr',
    );
    const [, mailbox = ''] = operator.name.match(/\((.*)\)/) ?? [];
    await expect(link(mailbox)).toHaveAttribute('href', `mailto:${mailbox}`);
    await page.goto('/mentions-legales');
    await link('Confidentialité').click();
    await expect(page).toHaveURL('/confidentialite');
    await expect(link('www.cnil.fr')).toHaveAttribute('href', 'https://www.cnil.fr');
    await link('Mon compte').click();
    await expect(page).toHaveURL('/profil');
  });

  await test.step('the declaration has a line for each of the 13 themes', async () => {
    await page.goto('/accessibilite');
    await expect(page.getByRole('term')).toHaveCount(13);
    await expectAccessibleTwice(page, '/accessibilite');
  });
});
