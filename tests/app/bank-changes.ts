import { expect, test } from 'vitest';
import { type BankLife, bodyOf, expired, item } from './bank-expected.ts';
import { follow, newPerson } from './person.ts';

export function repairing(life: () => BankLife): void {
  test('a bank is opened four times a day, and the fifth time is refused in French', async () => {
    const { url, person, bridge } = life();
    for (const _ of [1, 2, 3, 4]) {
      const { status, body } = await person.get(`/bridge/items/edit/${expired}`);
      expect(status).toBe(200);
      expect(bodyOf(bridge.asked.at(-1))).toMatchObject({ item_id: expired });
      const back = bridge.visit(String(body.redirect_url), { repairs: -3 });
      expect((await follow(back)).page).toContain('Vous pouvez fermer cet onglet');
    }
    expect(await person.get(`/bridge/items/edit/${expired}`)).toMatchObject({
      status: 429,
      body: { code: 'Bank_Management_Limit', message: expect.stringMatching(/quatre fois/) },
    });
    const { body } = await person.get('/bridge/items');
    expect(body).toContainEqual(expect.objectContaining({ id: expired, status: -3 }));
    expect(bridge.asked.every(({ headers }) => headers.host !== new URL(url).host)).toBe(true);
  });

  test('the professional validation opens the bank that waits for it', async () => {
    const { person, bridge } = life();
    const { status, body } = await person.get('/bridge/items/pro/confirmation/url');
    expect(status).toBe(200);
    expect(bodyOf(bridge.asked.at(-1))).toMatchObject({ item_id: item.professional });
    const back = bridge.visit(String(body.redirect_url), { repairs: 0 });
    expect((await follow(back)).page).toContain('Vous pouvez fermer cet onglet');
    const accounts = await person.get('/bridge/accounts?types[]=checking');
    expect(accounts.body).toContainEqual(
      expect.objectContaining({ name: 'Compte professionnel', status: 0 }),
    );
  });

  test('an outsider opens nothing and sees nothing of it', async () => {
    const { url } = life();
    const outsider = await newPerson(url, 'outsider@example.fr');
    const edit = `/bridge/items/edit/${item.everyday}`;
    expect(await outsider.get(edit)).toMatchObject({ status: 404 });
    await outsider.get('/bridge/items/connect');
    expect(await outsider.get(edit)).toMatchObject({ status: 404, body: { code: 'Not_Found' } });
    expect(await outsider.get('/bridge/items')).toEqual({ status: 200, body: [] });
    expect(await outsider.delete(`/bridge/items/${item.everyday}`)).toMatchObject({ status: 204 });
    const { body } = await life().person.get('/bridge/items?stored=1');
    expect(body).toContainEqual(expect.objectContaining({ id: item.everyday }));
  });

  test('someone the bank service knows already is found there again', async () => {
    const { url, bridge } = life();
    const known = await newPerson(url, 'known@example.fr');
    bridge.register(known.id);
    expect(await known.get('/bridge/items/connect')).toMatchObject({ status: 200 });
    const { asked } = bridge;
    expect(asked.some(({ query }) => query.get('external_user_id') === known.id)).toBe(true);
  });
}

export function removing(life: () => BankLife): void {
  test('a bank goes with its accounts, and going twice is no error', async () => {
    const { person, bridge } = life();
    const path = `/bridge/items/${item.everyday}`;
    expect(await person.delete(path)).toEqual({ status: 204, body: {} });
    expect(bridge.asked.at(-1)).toMatchObject({ method: 'DELETE', body: '' });
    expect(await person.delete(path)).toEqual({ status: 204, body: {} });
    const items = (await person.get('/bridge/items')).body as unknown as { id: number }[];
    expect(items.map(({ id }) => id)).toEqual([item.unlisted, item.professional, expired]);
    const accounts = (await person.get('/bridge/accounts?stored=1')).body as unknown as {
      name: string;
    }[];
    expect(accounts.map(({ name }) => name)).not.toContain('Compte courant');
  });

  test('a bank that the service could not remove is not said to be gone', async () => {
    const { person, bridge } = life();
    bridge.answerNext({ status: 500, body: '{}' });
    expect(await person.delete(`/bridge/items/${item.unlisted}`)).toMatchObject({ status: 503 });
    const { body } = await person.get('/bridge/items?stored=1');
    expect(body).toContainEqual(expect.objectContaining({ id: item.unlisted }));
  });

  test('a connection that breaks is tried again for reading, and never for removing', async () => {
    const { person, bridge } = life();
    bridge.answerNext({ status: 200, cut: true });
    expect((await person.get('/bridge/items')).status).toBe(200);
    const before = bridge.asked.length;
    bridge.answerNext({ status: 204, cut: true });
    expect((await person.delete(`/bridge/items/${item.unlisted}`)).status).toBe(503);
    expect(bridge.asked.length - before).toBe(1);
  });

  test('someone whom the bank service forgot has no bank there, and may begin again', async () => {
    const { person, bridge } = life();
    bridge.forgetUser(person.id);
    expect(await person.get('/bridge/items')).toEqual({ status: 200, body: [] });
    expect((await person.get('/bridge/items/connect')).status).toBe(200);
    const users = bridge.asked.filter(({ body }) => body.includes(person.id));
    expect(users.map(({ path }) => path)).toEqual([
      '/v3/aggregation/users',
      '/v3/aggregation/users',
    ]);
  });
}
