import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findReadableLink } from '../../src/server/banking/source-links/queries.ts';
import type { ClientDetails, ConnectSession } from '../../src/server/providers/banks/connect.ts';
import type { ConfiguredBankSource } from '../../src/server/providers/banks/definition.ts';
import type { BankSource } from '../../src/server/providers/banks/port.ts';
import { type Application, startApplication } from '../support/application.ts';
import type { Person } from '../support/person.ts';

let begun: ConnectSession[] = [];
/** While the source is asked to remove a connection. */
let meanwhile = async () => {};
let exchanged: { code: string | undefined; clientDetails: ClientDetails }[] = [];

/** A source whose page sends the browser back with a code that is exchanged once. */
const source: BankSource = {
  name: 'Passage',
  note: 'par Passage',
  credentials: 'person',
  connect: {
    kind: 'redirect',
    banks: 'there',
    async begin(_link, session) {
      begun.push(session);
      return `https://passage.test/${session.nonce}`;
    },
    callback: {
      parameters: ['state', 'code', 'error'],
      read: ({ state = '', error }) => ({
        nonce: state,
        providerUserId: null,
        outcome: error ? 'cancelled' : 'done',
      }),
    },
    async complete(_link, { code }, clientDetails) {
      exchanged.push({ code, clientDetails });
      if (code === 'stolen') throw new Error('a code that was used');
      return { changeSecret: () => `session of ${code}` };
    },
  },
  policy: { atPageLoad: false, beforeMessage: null },
  async read({ secret }) {
    const bank = { id: 'FR-PASSAGE', name: 'Banque du Passage' };
    const dates = { lastSuccessfulRefresh: null, authenticationExpiresAt: null };
    const description = secret;
    return {
      connections: [{ id: 'c', state: 'unknown', code: null, description, bank, ...dates }],
      accounts: [],
    };
  },
  async removeConnection() {
    await meanwhile();
    return (known) => (known === 'session of abc' ? null : known);
  },
};

const configured: ConfiguredBankSource = {
  ...{ kind: 'passage', name: 'Passage', apiUrl: '', isReal: false, credentials: null },
  ...{ settings: {}, warnings: [], quota: null, open: () => source },
};

let app: Application;
let ana: Person;
beforeAll(async () => {
  app = await startApplication({ configuration: { bankSources: [configured] } });
});
beforeEach(async () => {
  [begun, exchanged] = [[], []];
  ana = await app.signUp();
});
afterAll(() => app.close());

async function depart(): Promise<string> {
  const { body } = await ana.get('/bridge/items/connect');
  const nonce = begun.at(-1)?.nonce ?? '';
  expect(body.redirect_url).toBe(`https://passage.test/${nonce}`);
  return nonce;
}

/** To our address, which leads to the web app's page; what it sends on is left to `finish`. */
async function comeBack(query: string): Promise<string | null> {
  const answer = await app.visitor.send('GET', `/banks/callback/passage?${query}`);
  return answer.headers.get('location');
}

/** What the web app's page does with the address that the browser was led to. */
async function finish(address: string | null, person = ana) {
  const { pathname, hash } = new URL(address ?? '');
  expect(pathname).toBe('/banque/retour/passage');
  const query = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  const { status, body } = await person.send('POST', '/banks/sources/passage/returns', {
    headers: {
      ...{ 'content-type': 'application/json' },
      ...{ 'user-agent': 'Navigateur', 'accept-language': 'fr' },
    },
    body: JSON.stringify({ query }),
  });
  return status === 200 ? body.outcome : body.code;
}

const notice = (name: string) => `${app.url}/?notice=${name}`;

test('a return is exchanged once, with the presence of the person', async () => {
  const nonce = await depart();
  expect(begun[0]?.callbackUrl).toBe(`${app.url}/api/banks/callback/passage`);
  const address = await comeBack(`state=${nonce}&code=abc`);
  // Behind the `#`, which no server and no log sees.
  expect(address).toBe(`${app.url}/banque/retour/passage#state=${nonce}&code=abc`);
  expect(exchanged).toEqual([]);
  const ends = await Promise.all([1, 2].map(() => finish(address)));
  expect(ends.sort()).toEqual(['Bank_Return_Unknown', 'done']);
  expect(await finish(address)).toBe('Bank_Return_Unknown');
  expect(await comeBack(`state=${nonce}&code=abc`)).toBe(notice('bank-failed'));
  expect(exchanged).toMatchObject([
    {
      code: 'abc',
      clientDetails: { ip: '127.0.0.1', userAgent: 'Navigateur', acceptLanguage: 'fr' },
    },
  ]);
  expect((await ana.get('/bridge/items')).body).toMatchObject([
    { state: 'unknown', notice: { sentence: 'session of abc' } },
  ]);
});

test('a cancelled, failed or foreign return is exchanged for nothing', async () => {
  expect(await comeBack(`state=${await depart()}&error=denied`)).toBe(notice('bank-cancelled'));
  expect(exchanged).toEqual([]);
  expect(await finish(await comeBack(`state=${await depart()}&code=stolen`))).toBe('failed');
  expect(await comeBack('state=0123456789abcdef0123&code=abc')).toBe(notice('bank-failed'));
  expect(exchanged).toHaveLength(1);
  expect((await ana.get('/bridge/items')).body).toEqual([]);
});

test('a return in the browser of another person links her bank to neither account', async () => {
  const eve = await app.signUp();
  const address = await comeBack(`state=${await depart()}&code=of-eve`);
  expect(await finish(address, eve)).toBe('Bank_Return_Unknown');
  expect((await app.visitor.post('/banks/sources/passage/returns', { query: {} })).status).toBe(
    401,
  );
  expect(exchanged).toEqual([]);
  for (const person of [ana, eve]) {
    expect((await person.get('/bridge/items')).body).toEqual([]);
  }
  // Hers is still open: she may come back to it in her own browser.
  expect(await finish(address)).toBe('done');
});

test('a consent that comes back while the last bank is removed is not lost with it', async () => {
  await finish(await comeBack(`state=${await depart()}&code=abc`));
  const later = await comeBack(`state=${await depart()}&code=later`);
  meanwhile = async () => expect(await finish(later)).toBe('done');
  const [{ id }] = (await ana.get('/bridge/items')).body;
  expect((await ana.delete(`/bridge/items/${id}`)).status).toBe(204);
  meanwhile = async () => {};
  expect((await findReadableLink(app.services, ana.id, 'passage'))?.secret).toBe(
    'session of later',
  );
});
