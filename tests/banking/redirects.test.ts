import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ConnectSession, Presence } from '../../src/server/providers/banks/connect.ts';
import type { ConfiguredBankSource } from '../../src/server/providers/banks/definition.ts';
import type { BankSource } from '../../src/server/providers/banks/port.ts';
import { type Application, startApplication } from '../support/application.ts';
import type { Person } from '../support/person.ts';

let begun: ConnectSession[] = [];
let exchanged: { code: string | undefined; presence: Presence }[] = [];

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
    async complete(_link, { code }, presence) {
      exchanged.push({ code, presence });
      if (code === 'stolen') throw new Error('a code that was used');
      return { keep: () => `session of ${code}` };
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
  removeConnection: async () => null,
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

async function comeBack(query: string): Promise<string | null> {
  const answer = await app.visitor.send('GET', `/banks/callback/passage?${query}`, {
    headers: { 'user-agent': 'Navigateur', 'accept-language': 'fr' },
  });
  return answer.headers.get('location');
}

const notice = (name: string) => `${app.url}/?notice=${name}`;

test('a return is exchanged once, with the presence of the person', async () => {
  const nonce = await depart();
  expect(begun[0]?.callbackUrl).toBe(`${app.url}/api/banks/callback/passage`);
  const ends = await Promise.all([1, 2].map(() => comeBack(`state=${nonce}&code=abc`)));
  expect(ends).toContain(notice('bank-added'));
  expect(await comeBack(`state=${nonce}&code=abc`)).toBe(notice('bank-failed'));
  expect(exchanged).toMatchObject([
    { code: 'abc', presence: { ip: '127.0.0.1', userAgent: 'Navigateur', acceptLanguage: 'fr' } },
  ]);
  expect((await ana.get('/bridge/items')).body).toMatchObject([
    { state: 'unknown', notice: { sentence: 'session of abc' } },
  ]);
});

test('a cancelled, failed or foreign return is exchanged for nothing', async () => {
  expect(await comeBack(`state=${await depart()}&error=denied`)).toBe(notice('bank-cancelled'));
  expect(exchanged).toEqual([]);
  expect(await comeBack(`state=${await depart()}&code=stolen`)).toBe(notice('bank-failed'));
  expect(await comeBack('state=0123456789abcdef0123&code=abc')).toBe(notice('bank-failed'));
  expect(exchanged).toHaveLength(1);
  expect((await ana.get('/bridge/items')).body).toEqual([]);
});
