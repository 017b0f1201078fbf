import { expectAccessibleTwice } from './support/axe.ts';
import { boxesOf } from './support/boxes.ts';
import { holdReading } from './support/readings.ts';
import { bankCards, remove, showOtherWays, signIn, words } from './support/steps.ts';
import { openedBy } from './support/tabs.ts';
import { expect, test } from './support/test.ts';

test.use({ demoName: 'bank-linking' });

test('a company links its own bank with a key, mends it with another and removes it', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person);
  // The direct link is there too: the other ways stand beside it.
  await expect(page.getByRole('link', { name: 'Ajouter une banque' }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Autre banque ou relevé' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Qonto' }).click();
  await expect(dialog).toContainText("n'entrez aucun vrai secret");
  const [played] = await Promise.all([
    page.context().waitForEvent('page'),
    dialog.getByRole('link', { name: 'page de la démonstration' }).click(),
  ]);
  await expect(played.getByRole('heading', { name: 'Qonto de démonstration' })).toBeInViewport();
  await played.close();
  await dialog.getByLabel('Identifiant').fill('atelier-exemple-1234');
  await dialog.getByLabel('Clé secrète').fill('une-mauvaise-cle');
  await dialog.getByRole('button', { name: 'Relier', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('Qonto refuse cet identifiant');
  await dialog.getByLabel('Clé secrète').fill('cle-demo-atelier');
  await dialog.getByRole('button', { name: 'Relier', exact: true }).click();
  await expect(page.getByText('La banque est reliée')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  const card = bankCards(page);
  await expect(card.getByRole('heading', { name: 'Qonto' })).toBeVisible();
  await expect(card).toContainText('Compte principal');
  await expect(card).not.toContainText('Compte fermé');
  await card.getByTitle('Editer').click();
  await dialog.getByLabel('Identifiant').fill('atelier-exemple-1234');
  await dialog.getByLabel('Clé secrète').fill('cle-demo-atelier');
  await dialog.getByRole('button', { name: 'Relier', exact: true }).click();
  await expect(page.getByText('La connexion a été mise à jour')).toBeVisible();
  await expect(card.getByTitle('Editer')).toBeFocused();
  await expect(card).toHaveCount(1);
  await card.getByTitle('Editer').click();
  await dialog.getByLabel('Identifiant').fill('studio-exemple-5678');
  await dialog.getByLabel('Clé secrète').fill('cle-demo-studio');
  await dialog.getByRole('button', { name: 'Relier', exact: true }).click();
  await expect(page.getByText('Ces identifiants ont relié une autre banque.')).toBeVisible();
  await expect(card).toHaveCount(2);
  await remove(card.filter({ hasText: 'Studio Exemple' }));
  await expect(card).toHaveCount(1);
  await remove(card);
  await expect(card).toHaveCount(0);
});

test('a bank is searched in one list, linked through Ponto, lost, renewed and removed', async ({
  page,
  person,
  openAs,
  demo,
}) => {
  const sources = await holdReading(page, '**/api/banks/sources');
  await openAs(person);
  const open = () => page.getByRole('button', { name: 'Autre banque ou relevé' }).click();
  const dialog = page.getByRole('dialog');
  const missing = dialog.getByText("Ponto\u202f: la liste n'a pas pu être chargée");
  await page.route(
    '**/banks/directory*',
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), missing: ['Ponto'] } });
    },
    { times: 1 },
  );
  await open();
  await expect(dialog.getByRole('button', { name: 'Fermer' })).toBeVisible();
  await sources.release();
  const name = dialog.getByLabel('Nom de la banque');
  await expect(name).toBeFocused();
  await expect(missing).toBeVisible();
  await dialog.getByRole('button', { name: 'Fermer' }).click();
  await open();
  await expect(missing).toHaveCount(0);
  const countries = await dialog.getByLabel('Pays').getByRole('option').allTextContents();
  expect(countries.slice(0, 4)).toEqual(['France', 'Allemagne', 'Autriche', 'Belgique']);
  await name.fill('Ardoise');
  await dialog.getByRole('button', { name: 'Autre façon' }).click();
  await expect(dialog.getByRole('button', { name: 'Ponto environ 4' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Bridge', exact: true }).click();
  const sentence = dialog.getByText(/^Vous donnez votre accord sur une autre page/);
  const [onward, above] = await boxesOf(
    dialog.getByRole('button', { name: 'Continuer' }),
    sentence,
  );
  // As wide as the buttons of other forms.
  expect(onward.width).toBeCloseTo(above.width, 0);
  // A way back that shows the page as it was left.
  const left = `${demo.url}/elsewhere`;
  await page.route('**/banks/sources/bridge/pages', (route) =>
    route.fulfill({ json: { redirect_url: left } }),
  );
  await page.route(left, (route) => route.fulfill({ status: 204 }));
  const going = dialog.getByRole('button', { name: 'Continuer' });
  await Promise.all([page.waitForRequest(left), going.click()]);
  await expect(going).toHaveAttribute('aria-busy', 'true');
  await page.evaluate(() =>
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
  );
  await expect(going).not.toHaveAttribute('aria-busy', 'true');
  await dialog.getByRole('button', { name: 'Autre façon' }).click();
  await dialog.getByRole('button', { name: 'Chercher une autre banque' }).click();
  await expect(name).toBeFocused();
  await expect(name).toHaveValue('Ardoise');
  await name.fill('ARDOISE pro');
  await expect(dialog.getByRole('status')).toContainText('1 banque.');
  await dialog.getByRole('button', { name: 'Banque Ardoise Pro' }).click();
  await expect(dialog.getByRole('heading', { name: 'Banque Ardoise Pro' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Autre façon' }).click();
  await dialog.getByRole('button', { name: /^Ponto/ }).click();
  await expect(dialog).toContainText("n'entrez aucun vrai secret");
  await expectAccessibleTwice(page, 'linking by a form');
  await dialog.getByLabel('Identifiant').fill('ponto-atelier');
  await dialog.getByLabel('Secret').fill('un-mauvais-secret');
  await dialog.getByRole('button', { name: 'Relier', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('Ponto refuse cet identifiant');
  await dialog.getByLabel('Secret').fill('secret-demo-atelier');
  await dialog.getByRole('button', { name: 'Relier', exact: true }).click();
  await expect(page.getByText('2 banques sont reliées')).toBeVisible();
  const card = bankCards(page).filter({ hasText: 'Banque du Littoral' });
  await expect(card).toContainText('Compte en dollars');
  const other = await page.context().newPage();
  await other.goto('/');
  await expect(bankCards(other)).toHaveCount(2);
  const read = other.waitForRequest(/items\?fresh=1$/);
  await page.bringToFront();
  await card.getByTitle('Actualiser').click();
  await read;
  await expect(page.getByText('Les soldes ont été actualisés')).toBeVisible();
  await page.goto(demo.pageUrl);
  await page.getByRole('link', { name: 'Son tableau de bord' }).click();
  await page.getByRole('button', { name: 'Mettre fin' }).first().click();
  await openAs(person);
  await expect(card).toContainText("Votre autorisation d'accès a expiré");
  await card.getByRole('button', { name: 'Reconnecter ma banque' }).click();
  const [dashboard] = await Promise.all([
    page.context().waitForEvent('page'),
    dialog.getByRole('link', { name: 'Ouvrir Ponto' }).click(),
  ]);
  await dashboard.getByRole('button', { name: 'Renouveler' }).first().click();
  // A tab that is closed on its way to another page may never say that it is closed.
  await expect(dashboard.getByRole('listitem').first()).toContainText("Accès jusqu'au");
  await dashboard.close();
  await dialog.getByRole('button', { name: 'Fermer' }).click();
  await page.reload();
  await expect(card).toContainText('Compte courant pro');
  await expect(card).not.toContainText('a expiré');
  await card.getByTitle('Supprimer').click();
  await expect(page.getByRole('alertdialog')).toContainText('facturation');
});

test('a household gives its own application once, then chooses its bank', async ({
  page,
  person,
  openAs,
  demo,
}) => {
  await page.goto(demo.pageUrl);
  const played = page.locator('section', { has: page.locator('#enablebanking') });
  const id = (await played.locator('dd code').first().textContent()) ?? '';
  const buffer = Buffer.from((await played.locator('pre code').textContent()) ?? '');
  await openAs(person);
  await page.getByRole('button', { name: 'Autre banque ou relevé' }).click();
  const dialog = page.getByRole('dialog');
  await showOtherWays(dialog);
  await dialog.getByRole('button', { name: /^Enable Banking/ }).click();
  await expect(dialog.getByRole('link', { name: /^enablebanking\.com/ })).toHaveAttribute(
    'href',
    'https://enablebanking.com/cp/applications',
  );
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: 'Copier' }).click();
  const copied = page.getByRole('alert').filter({ hasText: "L'adresse est copiée" });
  await copied.click();
  await expect(copied).toHaveCount(0);
  await expect(dialog).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${demo.url}/api/banks/callback/enablebanking`,
  );
  await dialog.getByLabel('Identifiant').fill(id);
  const key = { name: `${id}.pem`, mimeType: 'application/x-pem-file', buffer };
  await dialog.getByLabel(/dans un fichier/).setInputFiles(key);
  await dialog.getByRole('button', { name: 'Relier', exact: true }).click();
  await page.route('**/sources/enablebanking/access', (route) => route.abort(), { times: 1 });
  await dialog.getByRole('button', { name: 'Oublier ces identifiants' }).click();
  await expect(dialog.getByRole('alert')).toContainText(words.failed);
  await dialog.getByRole('button', { name: 'Choisir ma banque' }).click();
  await dialog.getByLabel('Nom de la banque').fill('lointain');
  await dialog
    .getByRole('button', { name: /^Caisse du Lointain gratuit, comptes personnels/ })
    .click();
  await dialog.getByRole('button', { name: 'Continuer' }).click();
  await page.getByRole('button', { name: 'Refuser' }).click();
  await expect(page.getByText("la banque n'est pas reliée.")).toBeVisible();
  await page.getByRole('button', { name: 'Autre banque ou relevé' }).click();
  await dialog.getByLabel('Nom de la banque').fill('lointain');
  await dialog.getByRole('button', { name: /^Caisse du Lointain/ }).click();
  await dialog.getByRole('button', { name: 'Continuer' }).click();
  await page.getByRole('button', { name: 'Autoriser' }).click();
  await expect(page.getByText('La banque est reliée')).toBeVisible();
  const card = bankCards(page).filter({ hasText: 'Caisse du Lointain' });
  await expect(card).toContainText('Compte courant');
  await expect(card).toContainText('Dernière mise à jour');
  const tab = await openedBy(page, card.getByTitle('Editer').click());
  // The way back of a phone: the network comes a moment after the page.
  await tab.route('**/returns', (route) => route.abort(), { times: 1 });
  await tab.getByRole('button', { name: 'Autoriser' }).click();
  await tab.getByRole('button', { name: 'Réessayer' }).click();
  await expect(tab.getByText('Vous pouvez fermer cet onglet')).toBeVisible();
  // What the bank sent back is left neither in the address nor in the history.
  await expect(tab).toHaveURL(/\/banque\/retour\/enablebanking$/);
});

test('a consent that ends is said on the card, and the mailed link leads to its renewal', async ({
  page,
  person,
  bank,
  clock,
  openAs,
}) => {
  const { itemId } = await bank.link(person);
  const ends = new Date((await clock.now()).getTime() + 2.5 * 86_400_000).toISOString();
  await bank.setItem(itemId, { authenticationExpiresAt: ends });
  await openAs(person);
  const card = bankCards(page);
  await expect(card).toContainText(/L'accès à cette banque se termine (demain|dans \d jours)\./);
  await expect(card.getByRole('link', { name: 'Renouveler' })).toBeVisible();
  const [item] = await person.call<{ id: number }[]>('GET', '/bridge/items?stored=1');
  await page.evaluate(() => localStorage.clear());
  await page.goto(`/renouveler/${item?.id}`);
  await signIn(page, person);
  await expect(page).toHaveURL(/\/session\//);
});

test('a sheet longer than the window keeps its buttons in view, and one that asks for no secret warns of none', async ({
  page,
  person,
  openAs,
}) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await openAs(person);
  await page.getByRole('button', { name: 'Autre banque ou relevé' }).click();
  const dialog = page.getByRole('dialog');
  for (const [way, field] of [
    ['Enable Banking', 'Identifiant'],
    ['Saisie manuelle', 'Nom du compte'],
  ] as const) {
    await showOtherWays(dialog);
    await dialog.getByRole('button', { name: way }).click();
    await expect(dialog.getByLabel(field)).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Fermer' })).toBeInViewport({ ratio: 1 });
  }
  await expect(dialog).not.toContainText('secret');
  // Nothing to say takes no room: the button stands one gap below the last field.
  const day = dialog.getByLabel('Jour').locator('..');
  const add = dialog.getByRole('button', { name: 'Ajouter' });
  const [field, below] = await boxesOf(day, add);
  expect(below.y - field.bottom).toBe(16);
});
