import { expect, test } from 'vitest';
import { completeForms } from '../providers/banks/bridge/person-at-bank.ts';
import { follow, newPerson } from '../support/served.ts';
import { removing, repairing } from './bank-changes.ts';
import {
  type BankLifecycle,
  bodyOf,
  expectedAccounts,
  expectedItems,
  tokensAsked,
} from './bank-expected.ts';
import { type ConnectionName, fill } from './bank-rows.ts';

/** A person's lifecycle with banks, told in order: each test goes on where the last one ended. */
export function bankLifecycle(lifecycle: () => BankLifecycle): void {
  linking(lifecycle);
  reading(lifecycle);
  repairing(lifecycle);
  removing(lifecycle);
}

function linking(lifecycle: () => BankLifecycle): void {
  test('a person who never linked a bank sees none, and nobody is asked about it', async () => {
    const { person, bank } = lifecycle();
    expect(await person.get('/bridge/items')).toMatchObject({ status: 200, body: [] });
    expect(await person.get('/bridge/accounts?types[]=checking')).toMatchObject({
      status: 200,
      body: [],
    });
    expect(bank.control.requests()).toEqual([]);
  });

  test('the link to add a bank is opened in the name of the person', async () => {
    const { url, person, bank } = lifecycle();
    const { status, body } = await person.get('/bridge/items/connect');
    expect(status).toBe(200);
    expect(body.redirect_url.startsWith(`${bank.url}/session/`)).toBe(true);
    const asked = bank.control.requests();
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v3/aggregation/users',
      'POST /v3/aggregation/authorization/token',
      'POST /v3/aggregation/connect-sessions',
    ]);
    expect(asked.map(bodyOf)).toEqual([
      { external_user_id: person.id },
      { user_uuid: expect.any(String) },
      {
        user_email: person.details.email,
        callback_url: `${url}/api/bridge/callback`,
        context: expect.stringMatching(/^[A-Za-z0-9-]{16,100}$/),
      },
    ]);
  });

  test('coming back from the bank leads home with a word about how it went', async () => {
    const { url, person, bank, items } = lifecycle();
    const visit = async (...steps: Step[]) => {
      const { body } = await person.get('/bridge/items/connect');
      return completeForms(body.redirect_url, [{ bank: '574' }, ...steps]);
    };
    const newest = () => bank.control.items(person.id).at(-1)?.id ?? 0;
    const cancelled = await visit({ action: 'cancel' });
    expect(await follow(cancelled)).toMatchObject({ next: `${url}/?notice=bank-cancelled` });
    const failed = await visit({ action: 'login', login: '402' }, { action: 'finish' });
    expect(await follow(failed)).toMatchObject({ next: `${url}/?notice=bank-failed` });
    items.refused = newest();
    for (const name of ['everyday', 'unlisted', 'professional', 'expired'] as ConnectionName[]) {
      const added = await visit({ action: 'login', login: 'success' }, allAccounts);
      items[name] = newest();
      fill(bank, items[name], name);
      expect(await follow(added)).toMatchObject({ next: `${url}/?notice=bank-added` });
    }
  });

  test('a return that names somebody else is not believed', async () => {
    const { url, person, bank } = lifecycle();
    await person.get('/bridge/items/connect');
    const asked = bank.control.requests();
    const { context } = bodyOf(asked.at(-1));
    const { user_uuid: uuid } = bodyOf(asked.find(({ path }) => path.endsWith('/token')));
    const back = new URL(`${url}/api/bridge/callback?success=false&step=sync_pending`);
    back.searchParams.set('context', String(context));
    back.searchParams.set('user_uuid', String(uuid));
    expect(await follow(back.href)).toMatchObject({ next: `${url}/?notice=bank-pending` });
    back.searchParams.set('user_uuid', '00000000-0000-4000-8000-000000000000');
    expect(await follow(back.href)).toMatchObject({ next: `${url}/?notice=bank-failed` });
  });

  test('a return with an invented context changes nothing and says so', async () => {
    const { url } = lifecycle();
    const back = `${url}/api/bridge/callback?success=true&context=00000000000000000000&item_id=1`;
    expect(await follow(back)).toMatchObject({ next: `${url}/?notice=bank-failed` });
  });
}

function reading(lifecycle: () => BankLifecycle): void {
  test('every bank has its card, the one of an unknown status and provider too', async () => {
    const { person, shown } = lifecycle();
    const { status, body } = await person.get('/bridge/items');
    const names = ['refused', 'everyday', 'unlisted', 'professional', 'expired'] as const;
    const ids = body.map(({ id }: { id: number }) => id);
    for (const [index, name] of names.entries()) shown[name] = ids[index] ?? 0;
    expect({ status, body }).toEqual({ status: 200, body: expectedItems(lifecycle()) });
    expect(new Set(ids.filter(Number.isSafeInteger)).size).toBe(names.length);
  });

  test('checking accounts come with exact balances; unshared and other ones stay away', async () => {
    const { person, shownAccounts } = lifecycle();
    const { status, body } = await person.get('/bridge/accounts?types[]=checking');
    const accounts: { id: number; name: string }[] = body;
    for (const { id, name } of accounts) shownAccounts[name] = id;
    const ids = Object.values(shownAccounts).filter(Number.isSafeInteger);
    expect(new Set(ids).size).toBe(accounts.length);
    expect(status).toBe(200);
    expect(body).toEqual(expectedAccounts(lifecycle()));
    expect(Object.is(body[5]?.balance, 0)).toBe(true);
  });

  test('several types may be named, and one that nobody foresaw as well', async () => {
    const { person } = lifecycle();
    const { body } = await person.get('/bridge/accounts?types[]=savings&types[]=crypto_wallet');
    expect(body.map(nameAndBalance)).toEqual(['Livret A 22950', 'Jetons 4']);
  });

  test('each call carries the four headers, and pages were followed under the right path', () => {
    const { bank } = lifecycle();
    const asked = bank.control.requests();
    for (const { path, headers } of asked) {
      expect(headers).toMatchObject({ 'bridge-version': '2025-01-15', 'client-id': 'served_id_7' });
      expect(headers['client-secret']).toBe('served_secret_7');
      const open = /\/(users|token|providers(\/\d+)?)$/.test(path);
      if (!open) expect(headers.authorization).toMatch(/^Bearer \S+$/);
      expect(path).toMatch(/^\/v3\/(aggregation\/|providers)/);
    }
    const after = asked.filter(({ query }) => new URLSearchParams(query).has('after'));
    expect(after.length).toBeGreaterThan(5);
  });

  test('one token serves all those reads', () => {
    expect(tokensAsked(lifecycle().bank)).toBe(1);
  });

  test('a token that ended early is asked for again, and the person notices nothing', async () => {
    const { person, bank } = lifecycle();
    bank.control.expireTokens();
    expect(await person.get('/bridge/items')).toEqual(
      expect.objectContaining({ status: 200, body: expectedItems(lifecycle()) }),
    );
    expect(tokensAsked(bank)).toBe(2);
  });

  test('what was read is told again at once, and the bank service is not asked', async () => {
    const { person, bank } = lifecycle();
    const before = bank.control.requests().length;
    const path = '/bridge/accounts?types[]=checking&stored=1';
    expect(await person.get('/bridge/items?stored=1')).toEqual(
      expect.objectContaining({ status: 200, body: expectedItems(lifecycle()) }),
    );
    expect(await person.get(path)).toEqual(
      expect.objectContaining({ status: 200, body: expectedAccounts(lifecycle()) }),
    );
    expect(bank.control.requests()).toHaveLength(before);
  });

  test('while the bank service is down or limits us, the last answer stands', async () => {
    const { person, bank } = lifecycle();
    answerNext(bank, 503, '<html>later</html>');
    expect(await person.get('/bridge/items')).toEqual(
      expect.objectContaining({ status: 200, body: expectedItems(lifecycle()) }),
    );
    answerNext(bank, 429, '');
    expect(await person.get('/bridge/items')).toEqual(
      expect.objectContaining({ status: 200, body: expectedItems(lifecycle()) }),
    );
    answerNext(bank, 403, '{"code":"forbidden","message":"no"}');
    expect(await person.get('/bridge/items')).toMatchObject({
      status: 502,
      body: { code: 'Bank_Refused' },
    });
  });

  test('a bank service that is down at the first reading is a sentence, not an empty list', async () => {
    const { url, bank } = lifecycle();
    const newcomer = await newPerson(url, 'newcomer@example.fr');
    await newcomer.get('/bridge/items/connect');
    for (const status of [503, 429]) {
      answerNext(bank, status, '');
      expect(await newcomer.get('/bridge/items')).toMatchObject({
        status: 503,
        body: { code: 'Bank_Unavailable' },
      });
    }
  });
}

function nameAndBalance({ name, balance }: { name: string; balance: number }): string {
  return `${name} ${balance}`;
}

type Step = Parameters<typeof completeForms>[1][number];

const allAccounts = { action: 'accounts', account: 'all' };

/** The next request is answered so, whatever it asks. After "too many calls" the one after it may come at once. */
function answerNext(bank: BankLifecycle['bank'], status: number, body: string): void {
  const headers = { 'retry-after': '0' };
  bank.control.addFault({
    kind: 'status',
    status,
    body,
    times: 1,
    ...(status === 429 && { headers }),
  });
}
