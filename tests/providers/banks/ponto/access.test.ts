import { expect, test } from 'vitest';
import { as, refusal } from '../source-fixture.ts';
import {
  asked,
  atelier,
  clock,
  link,
  made,
  ponto,
  read,
  reopen,
  setUpPonto,
  source,
  studio,
} from './fixture.ts';

setUpPonto();

test('the pair opens a token, which reads until it ends', async () => {
  const secret = await link({ clientId: ' ponto-atelier ', clientSecret: 'secret-demo-atelier\n' });
  await read(secret);
  const [token, first] = ponto.control.requests();
  expect(token).toMatchObject({
    ...{ method: 'POST', path: '/oauth2/token', text: 'grant_type=client_credentials' },
    headers: {
      authorization: `Basic ${btoa('ponto-atelier:secret-demo-atelier')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
  });
  expect(first?.headers.authorization).toMatch(/^Bearer /);
  clock.advance({ minutes: 28 });
  await read(secret);
  expect(asked().filter((one) => one.includes('token'))).toHaveLength(1);
  clock.advance({ minutes: 1 });
  await read(secret);
  expect(asked().filter((one) => one.includes('token'))).toHaveLength(2);
  ponto.control.dropTokens();
  await read(secret);
  expect(asked().filter((one) => one.includes('token'))).toHaveLength(3);
});

test.for([
  [{ kind: 'status', status: 401, path: '/accounts' }, 'credentials'],
  [{ kind: 'status', status: 403, path: '/accounts' }, 'credentials'],
  [{ kind: 'status', status: 404, path: '/accounts' }, 'refused'],
  [{ kind: 'status', status: 401, body: '<html>', path: '/accounts' }, 'unavailable'],
  [
    { kind: 'status', status: 400, body: { error: 'invalid_client' }, path: '/oauth2' },
    'credentials',
  ],
  [{ kind: 'ratelimited', retryAfter: 30 }, 'limited'],
  [{ kind: 'ratelimited', retryAfter: null }, 'limited'],
  [{ kind: 'status', status: 500 }, 'unavailable'],
  [
    { kind: 'status', status: 302, headers: { location: 'https://elsewhere.invalid/' } },
    'unavailable',
  ],
  [{ kind: 'html' }, 'unavailable'],
  [{ kind: 'truncated' }, 'unavailable'],
  [{ kind: 'drop' }, 'unavailable'],
  [{ kind: 'status', status: 200, body: {} }, 'unavailable'],
  [{ kind: 'status', status: 200, body: { data: [{}] }, path: '/accounts' }, 'unavailable'],
  [
    { kind: 'status', status: 200, body: { data: [{ id: 'x' }] }, path: '/accounts' },
    'unavailable',
  ],
] as const)(
  'an answer that fails as %j is told as %s, without the secret',
  async ([fault, kind]) => {
    const secret = await link(atelier);
    reopen();
    ponto.control.addFault({ ...fault });
    const told = await refusal(read(secret));
    expect(told.kind).toBe(kind);
    expect(told.said).not.toContain(atelier.clientSecret);
    if (fault.kind === 'ratelimited') {
      expect(told.retryAfterSeconds).toBe(fault.retryAfter ?? undefined);
    }
  },
);

test('a wrong pair, and an integration without accounts, are refused in French', async () => {
  expect(await refusal(link({ ...atelier, clientSecret: 'wrong-secret' }))).toMatchObject({
    kind: 'credentials',
    sentence: expect.stringContaining('Ponto refuse cet identifiant'),
  });
  ponto.control.addOrganization('Vide', 'ponto-empty');
  ponto.control.setOrganization('ponto-empty', { accounts: [] });
  const empty = { clientId: 'ponto-empty', clientSecret: 'secret-ponto-empty' };
  expect(await refusal(link(empty))).toMatchObject({
    kind: 'credentials',
    sentence: expect.stringContaining('aucun compte'),
  });
});

test('a refused pair is not sent again within the hour, unless it is pasted anew, here or elsewhere', async () => {
  const { secret, clientSecret } = await made('Refus', 'ponto-refused');
  ponto.control.setOrganization('ponto-refused', { clientSecret: 'another-secret' });
  ponto.control.dropTokens();
  ponto.control.clearRequests();
  for (let tries = 0; tries < 3; tries += 1) {
    expect((await refusal(read(secret))).kind).toBe('credentials');
  }
  expect(asked().filter((one) => one.includes('token'))).toHaveLength(1);
  ponto.control.setOrganization('ponto-refused', { clientSecret });
  expect((await refusal(read(secret))).kind).toBe('credentials');
  const where = source;
  reopen();
  clock.advance({ minutes: 1 });
  const again = await link({ clientId: 'ponto-refused', clientSecret }, secret);
  expect((await where.read(as(again), null, [])).connections).toHaveLength(2);
});

test('one integration that fails leaves the other alone, and its banks as they are', async () => {
  const secret = await link(studio, await link(atelier));
  const all = (await read(secret)).connections.map(({ id }) => id);
  expect(all).toHaveLength(4);
  ponto.control.setOrganization('ponto-studio', { clientSecret: 'another-secret' });
  ponto.control.dropTokens();
  const { connections, unread } = await read(secret, all);
  expect(connections.map(({ id }) => id)).toEqual(all.slice(0, 2));
  expect(unread).toEqual(all.slice(2).map((id) => ({ id, state: 'credentials' })));
  ponto.control.setOrganization('ponto-studio', { clientSecret: studio.clientSecret });
});

test('a removed bank stays away while others stay, and the pair goes with the last one', async () => {
  const secret = await link(atelier);
  const [first = '', second = ''] = (await read(secret)).connections.map(({ id }) => id);
  const removed = async (from: string | null, id: string, others: string[]) =>
    (await source.removeConnection(as(from), id))?.(from, others) ?? null;
  const rest = await removed(secret, first, [second]);
  expect((await read(rest)).connections.map(({ id }) => id)).toEqual([second]);
  expect(await removed(rest, second, [])).toBeNull();
  const again = await link(atelier, rest);
  expect((await read(again)).connections).toHaveLength(2);
});

test('with the last bank go the pairs too that no bank is linked by any more', async () => {
  const [old, taken] = [await made('Ancienne', 'ponto-old'), await made('Nouvelle', 'ponto-new')];
  const secret = await link(
    { clientId: 'ponto-new', clientSecret: taken.clientSecret },
    old.secret,
  );
  const [bank = ''] = (await read(taken.secret)).connections.map(({ id }) => id);
  const rest = async () => (await source.removeConnection(as(secret), bank))?.(secret, []) ?? null;
  // Its first reading may still be under way.
  expect(await rest()).toContain('ponto-old');
  clock.advance({ hours: 1 });
  expect(await rest()).toBeNull();
});
