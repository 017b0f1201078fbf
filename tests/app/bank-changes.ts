import { expect, test } from 'vitest';
import { completeForms } from '../providers/banks/bridge/person-at-bank.ts';
import { follow, newPerson } from '../support/served.ts';
import { type BankLifecycle, bodyOf } from './bank-expected.ts';

export function repairing(lifecycle: () => BankLifecycle): void {
  test('a bank is opened four times a day, and the fifth time is refused in French', async () => {
    const { url, person, bank, items, shown } = lifecycle();
    const { expired } = items;
    for (const _ of [1, 2, 3, 4]) {
      bank.control.setItem(expired, { status: 1010 });
      const { status, body } = await person.get(`/bridge/items/edit/${shown.expired}`);
      expect(status).toBe(200);
      expect(bodyOf(bank.control.requests().at(-1))).toMatchObject({ item_id: expired });
      const code = { action: 'code', code: '123456' };
      const accounts = { action: 'accounts', account: 'all' };
      const back = await completeForms(body.redirect_url, [code, accounts]);
      expect((await follow(back)).page).toContain('Vous pouvez fermer cet onglet');
    }
    expect(await person.get(`/bridge/items/edit/${shown.expired}`)).toMatchObject({
      status: 429,
      body: { code: 'Bank_Management_Limit', message: expect.stringMatching(/quatre fois/) },
    });
    bank.control.setItem(expired, { syncing: -3, readyAt: '2999-01-01T00:00:00Z' });
    const { body } = await person.get('/bridge/items');
    expect(body).toContainEqual(expect.objectContaining({ id: shown.expired, status: -3 }));
    const hosts = bank.control.requests().map(({ headers }) => headers.host);
    expect(hosts).not.toContain(new URL(url).host);
  });

  test('the professional validation opens the bank that waits for it', async () => {
    const { person, bank, items } = lifecycle();
    const { status, body } = await person.get('/bridge/items/pro/confirmation/url');
    expect(status).toBe(200);
    const asked = bank.control.requests().at(-1);
    expect(bodyOf(asked)).toMatchObject({ item_id: items.professional });
    const form = { action: 'certify', company: 'Durand SARL', person: 'Zoé Dupont' };
    const back = await completeForms(body.redirect_url, [form]);
    expect((await follow(back)).page).toContain('Vous pouvez fermer cet onglet');
    const accounts = await person.get('/bridge/accounts?types[]=checking');
    expect(accounts.body).toContainEqual(
      expect.objectContaining({ name: 'Compte professionnel', status: 0 }),
    );
  });

  test('an outsider opens nothing and sees nothing of it', async () => {
    const { url, shown } = lifecycle();
    const outsider = await newPerson(url, 'outsider@example.fr');
    const edit = `/bridge/items/edit/${shown.everyday}`;
    expect(await outsider.get(edit)).toMatchObject({ status: 404 });
    await outsider.get('/bridge/items/connect');
    expect(await outsider.get(edit)).toMatchObject({ status: 404, body: { code: 'Not_Found' } });
    expect(await outsider.get('/bridge/items')).toMatchObject({ status: 200, body: [] });
    expect(await outsider.delete(`/bridge/items/${shown.everyday}`)).toMatchObject({ status: 204 });
    const { body } = await lifecycle().person.get('/bridge/items?stored=1');
    expect(body).toContainEqual(expect.objectContaining({ id: shown.everyday }));
  });

  test('someone the bank service knows already is found there again', async () => {
    const { url, bank } = lifecycle();
    const known = await newPerson(url, 'known@example.fr');
    bank.control.addUser(known.id);
    expect(await known.get('/bridge/items/connect')).toMatchObject({ status: 200 });
    const asked = bank.control.requests().map(({ query }) => new URLSearchParams(query));
    expect(asked.some((query) => query.get('external_user_id') === known.id)).toBe(true);
  });
}

export function removing(lifecycle: () => BankLifecycle): void {
  test('a bank goes with its accounts, and going twice is no error', async () => {
    const { person, bank, shown } = lifecycle();
    const path = `/bridge/items/${shown.everyday}`;
    expect(await person.delete(path)).toMatchObject({ status: 204, body: '' });
    expect(bank.control.requests().at(-1)).toMatchObject({ method: 'DELETE', text: '' });
    expect(await person.delete(path)).toMatchObject({ status: 204, body: '' });
    const left: { id: number }[] = (await person.get('/bridge/items')).body;
    const { refused, unlisted, professional, expired } = shown;
    expect(left.map(({ id }) => id)).toEqual([refused, unlisted, professional, expired]);
    const accounts: { name: string }[] = (await person.get('/bridge/accounts?stored=1')).body;
    expect(accounts.map(({ name }) => name)).not.toContain('Compte courant');
  });

  test('a bank that the service could not remove is not said to be gone', async () => {
    const { person, bank, shown } = lifecycle();
    bank.control.addFault({ kind: 'status', status: 500, body: '{}', times: 1 });
    expect(await person.delete(`/bridge/items/${shown.unlisted}`)).toMatchObject({ status: 503 });
    const { body } = await person.get('/bridge/items?stored=1');
    expect(body).toContainEqual(expect.objectContaining({ id: shown.unlisted }));
  });

  test('a connection that breaks is tried again for reading, and never for removing', async () => {
    const { person, bank, shown } = lifecycle();
    bank.control.addFault({ kind: 'drop', times: 1 });
    expect((await person.get('/bridge/items')).status).toBe(200);
    const before = bank.control.requests().length;
    bank.control.addFault({ kind: 'drop', times: 1 });
    expect((await person.delete(`/bridge/items/${shown.unlisted}`)).status).toBe(503);
    expect(bank.control.requests().length - before).toBe(1);
  });

  test('someone whom the bank service forgot keeps what was read, and may begin again without it', async () => {
    const { person, bank } = lifecycle();
    bank.control.forgetUser(person.id);
    expect(await person.get('/bridge/items')).toMatchObject({ status: 502 });
    const { body: kept } = await person.get('/bridge/items?stored=1');
    expect(kept).not.toEqual([]);
    for (const { id } of kept) await person.delete(`/bridge/items/${id}`);
    expect((await person.get('/bridge/items?stored=1')).body).toEqual([]);
    expect((await person.get('/bridge/items/connect')).status).toBe(200);
    const users = bank.control.requests().filter(({ text }) => text.includes(person.id));
    expect(users.map(({ path }) => path)).toEqual([
      '/v3/aggregation/users',
      '/v3/aggregation/users',
    ]);
  });
}
