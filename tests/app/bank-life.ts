import { expect, test } from 'vitest';
import { removing, repairing } from './bank-changes.ts';
import {
  type BankLife,
  bodyOf,
  expectedAccounts,
  expectedItems,
  tokensAsked,
} from './bank-expected.ts';
import { follow, newPerson } from './person.ts';

/** A person's life with banks, told in order: each test goes on where the last one ended. */
export function bankLife(life: () => BankLife): void {
  linking(life);
  reading(life);
  repairing(life);
  removing(life);
}

function linking(life: () => BankLife): void {
  test('a person who never linked a bank sees none, and nobody is asked about it', async () => {
    const { person, bridge } = life();
    expect(await person.get('/bridge/items')).toEqual({ status: 200, body: [] });
    expect(await person.get('/bridge/accounts?types[]=checking')).toEqual({
      status: 200,
      body: [],
    });
    expect(bridge.asked).toEqual([]);
  });

  test('the link to add a bank is opened in the name of the person', async () => {
    const { url, person, bridge } = life();
    const { status, body } = await person.get('/bridge/items/connect');
    expect(status).toBe(200);
    expect(body.redirect_url).toMatch(/^https:\/\/connect\.bridgeapi\.io\/session\//);
    expect(bridge.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v3/aggregation/users',
      'POST /v3/aggregation/authorization/token',
      'POST /v3/aggregation/connect-sessions',
    ]);
    expect(bridge.asked.map(bodyOf)).toEqual([
      { external_user_id: person.id },
      { user_uuid: expect.any(String) },
      {
        user_email: person.email,
        callback_url: `${url}/api/bridge/callback`,
        context: expect.stringMatching(/^[A-Za-z0-9-]{16,100}$/),
      },
    ]);
  });

  test('coming back from the bank leads home with a word about how it went', async () => {
    const { url, person, bridge } = life();
    const ends = [
      [{ leavesAt: 'bank_creds_form' }, 'bank-cancelled'],
      [{ leavesAt: 'sync_error' }, 'bank-failed'],
      [{ links: 'everyday' }, 'bank-added'],
      [{ links: 'unlisted' }, 'bank-added'],
      [{ links: 'professional' }, 'bank-added'],
      [{ links: 'expired' }, 'bank-added'],
    ] as const;
    for (const [end, notice] of ends) {
      const { body } = await person.get('/bridge/items/connect');
      const back = bridge.visit(String(body.redirect_url), end);
      expect(await follow(back)).toMatchObject({ next: `${url}/?notice=${notice}` });
    }
  });

  test('a return that names somebody else is not believed', async () => {
    const { url, person, bridge } = life();
    const { body } = await person.get('/bridge/items/connect');
    const back = new URL(bridge.visit(String(body.redirect_url), { leavesAt: 'sync_pending' }));
    expect(await follow(back.href)).toMatchObject({ next: `${url}/?notice=bank-pending` });
    back.searchParams.set('user_uuid', '00000000-0000-4000-8000-000000000000');
    expect(await follow(back.href)).toMatchObject({ next: `${url}/?notice=bank-failed` });
  });

  test('a return with an invented context changes nothing and says so', async () => {
    const { url } = life();
    const back = `${url}/api/bridge/callback?success=true&context=00000000000000000000&item_id=1`;
    expect(await follow(back)).toMatchObject({ next: `${url}/?notice=bank-failed` });
  });
}

function reading(life: () => BankLife): void {
  test('every bank has its card, the one of an unknown status and provider too', async () => {
    const { person } = life();
    expect(await person.get('/bridge/items')).toEqual({ status: 200, body: expectedItems });
  });

  test('checking accounts come with exact balances; unshared and other ones stay away', async () => {
    const { person } = life();
    const { status, body } = await person.get('/bridge/accounts?types[]=checking');
    expect(status).toBe(200);
    expect(body).toEqual(expectedAccounts);
    expect(Object.is((body as unknown as { balance: number }[])[5]?.balance, 0)).toBe(true);
  });

  test('several types may be named, and one that nobody foresaw as well', async () => {
    const { person } = life();
    const { body } = await person.get('/bridge/accounts?types[]=savings&types[]=crypto_wallet');
    expect((body as unknown as { name: string; balance: number }[]).map(nameAndBalance)).toEqual([
      'Livret A 22950',
      'Jetons 4',
    ]);
  });

  test('each call carries the four headers, and pages were followed under the right path', () => {
    const { bridge } = life();
    for (const { path, headers } of bridge.asked) {
      expect(headers).toMatchObject({ 'bridge-version': '2025-01-15', 'client-id': 'peer_id_7' });
      expect(headers['client-secret']).toBe('peer_secret_7');
      const open = /\/(users|token|providers(\/\d+)?)$/.test(path);
      if (!open) expect(headers.authorization).toMatch(/^Bearer \S+$/);
      expect(path).toMatch(/^\/v3\/(aggregation\/|providers)/);
    }
    expect(bridge.asked.filter(({ query }) => query.has('after')).length).toBeGreaterThan(5);
  });

  test('one token serves all those reads', () => {
    expect(tokensAsked(life().bridge)).toBe(1);
  });

  test('a token that ended early is asked for again, and the person notices nothing', async () => {
    const { person, bridge } = life();
    bridge.forgetTokens();
    expect(await person.get('/bridge/items')).toEqual({ status: 200, body: expectedItems });
    expect(tokensAsked(bridge)).toBe(2);
  });

  test('what was read is told again at once, and the bank service is not asked', async () => {
    const { person, bridge } = life();
    const before = bridge.asked.length;
    const path = '/bridge/accounts?types[]=checking&stored=1';
    expect(await person.get('/bridge/items?stored=1')).toEqual({
      status: 200,
      body: expectedItems,
    });
    expect(await person.get(path)).toEqual({ status: 200, body: expectedAccounts });
    expect(bridge.asked).toHaveLength(before);
  });

  test('while the bank service is down or limits us, the last answer stands', async () => {
    const { person, bridge } = life();
    bridge.answerNext({ status: 503, body: '<html>later</html>' });
    expect(await person.get('/bridge/items')).toEqual({ status: 200, body: expectedItems });
    bridge.answerNext({ status: 429, body: '' });
    expect(await person.get('/bridge/items')).toEqual({ status: 200, body: expectedItems });
    bridge.answerNext({ status: 403, body: '{"code":"forbidden","message":"no"}' });
    expect(await person.get('/bridge/items')).toMatchObject({
      status: 502,
      body: { code: 'Bank_Refused' },
    });
  });

  test('a bank service that is down at the first reading is a sentence, not an empty list', async () => {
    const { url, bridge } = life();
    const newcomer = await newPerson(url, 'newcomer@example.fr');
    await newcomer.get('/bridge/items/connect');
    for (const status of [503, 429]) {
      bridge.answerNext({ status, body: '' });
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
