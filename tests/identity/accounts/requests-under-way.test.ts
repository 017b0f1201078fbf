import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConfiguredBankSource } from '../../../src/server/providers/banks/definition.ts';
import type { BankSource } from '../../../src/server/providers/banks/port.ts';
import { scriptedSource } from '../../banking/scripted-source.ts';
import { example } from '../../providers/chats/example/definition.ts';
import { type ExampleStandin, startExampleStandin } from '../../providers/chats/example/standin.ts';
import { type Databases, engines, startDatabases } from '../../support/engines.ts';
import type { Answer, Client, Person } from '../../support/person.ts';
import { authorizeSlack, connectSlack, isInstalled, slackOf } from '../../support/slack.ts';
import { type Fixture, openFixture, resetting } from './fixture.ts';

const next = 'trois petits tours de piste';
const notSignedIn = { status: 401, body: { code: 'Not_Signed_In' } };

/** What happens while the service that a request waits for has not answered. */
let meanwhile = async () => {};
/** What was opened at the bank service, and ended there. */
let [opened, ended] = [0, 0];

const passage = scriptedSource({
  policy: { atPageLoad: false, beforeMessage: null },
  read: async () => ({ connections: [], accounts: [] }),
  connect: {
    kind: 'redirect',
    banks: 'there',
    access: {
      fields: [{ name: 'key', label: 'Clé', pattern: '.+', help: '', secret: true }],
      isDemonstration: false,
      steps: () => [],
      countAccesses: () => 0,
      async check({ key }) {
        await meanwhile();
        return () => key ?? '';
      },
    },
    begin: async (_link, { nonce }) => `https://passage.test/${nonce}`,
    callback: {
      parameters: ['state'],
      read: ({ state = '' }) => ({ nonce: state, providerUserId: null, outcome: 'done' }),
    },
    async complete() {
      const undo = async () => {
        ended += 1;
      };
      opened += 1;
      await meanwhile();
      return { changeSecret: () => 'eve’s', undo };
    },
  },
});
const files = scriptedSource({
  policy: { atPageLoad: false, beforeMessage: null },
  read: async () => ({ connections: [], accounts: [] }),
  connect: {
    ...{ kind: 'file', steps: [], accept: '.ofx', maxBytes: 1000 },
    async read() {
      await meanwhile();
      const balances = [{ day: '2026-01-09', minor: 4_321_000 }];
      const account = {
        number: null,
        name: null,
        bankName: null,
        type: 'checking' as const,
        currency: 'EUR',
        balances,
      };
      return { format: 'ofx', accounts: [account], table: null };
    },
  },
});
const configuredAs = (kind: string, source: BankSource): ConfiguredBankSource => ({
  ...{ kind, name: kind, apiUrl: '', isReal: false, credentials: null },
  ...{ settings: {}, warnings: [], quota: null, open: () => source },
});

const names = encodeURIComponent(JSON.stringify([{ bank: 'Banque', name: 'Livret' }]));
const binary = { headers: { 'content-type': 'application/octet-stream' }, body: 'relevé' };

/** The same call, before which `meanwhile` happens. */
function delayed<Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) {
  return async (...given: Given): Promise<Result> => {
    await meanwhile();
    return await call(...given);
  };
}

describe.each(engines)('a request that waits while its session ends, on %s', (engine) => {
  let databases: Databases;
  let standin: ExampleStandin;
  let app: Fixture;
  let eve: Person;
  let id: string;
  let linked: string;
  let nonce: string;
  beforeAll(async () => {
    [databases, standin] = await Promise.all([startDatabases(engine), startExampleStandin()]);
    const team = { name: 'Les Lilas', channelNames: ['salon'], arrived: [], next: null };
    standin.teams.set('k', team);
    app = await openFixture({
      database: await databases.open(),
      chats: [example.configure({})].flatMap((one) => one ?? []),
      configuration: {
        bankSources: [configuredAs('passage', passage), configuredAs('releve', files)],
      },
    });
    const slack = slackOf(app);
    slack.findChannel = delayed(slack.findChannel);
    slack.token.identify = delayed(slack.token.identify);
    slack.linkings[0].exchangeCode = delayed(slack.linkings[0].exchangeCode);
    const linkings = app.services.chats.get('example')?.linkings ?? [];
    for (const linking of linkings) {
      if (linking.way === 'address') linking.link = delayed(linking.link);
    }
  });
  afterAll(async () => {
    await app.close();
    await standin.close();
    await databases.close();
  });
  beforeEach(async () => {
    meanwhile = async () => {};
    [opened, ended] = [0, 0];
    eve = await app.signUp();
    ({ id } = await connectSlack(app, eve, 'T0FONTAINE'));
    const saved = await eve.patch(`/messengers/${id}`, {
      message: 'Bonjour',
      slackChannel: 'C0FGENERAL0',
    });
    expect(saved.status).toBe(200);
  });

  /** Once, and no sooner than the service is asked. Returns whether it has happened. */
  function whileAsked(end: () => Promise<Answer>): () => boolean {
    let hasEnded = false;
    meanwhile = async () => {
      meanwhile = async () => {};
      expect((await end()).status).toBe(204);
      expect(await eve.get('/users/me')).toMatchObject(notSignedIn);
      hasEnded = true;
    };
    return () => hasEnded;
  }

  async function whileAskedReset(): Promise<() => boolean> {
    const { email } = eve.details;
    await app.visitor.post('/accounts/password/forgotten', { email });
    const token = await app.tokenFor(email, resetting);
    return whileAsked(() =>
      app.visitor.post('/accounts/password/reset', { token, password: next }),
    );
  }

  /** What the account has, but for what a reset pauses and disconnects. */
  async function stored() {
    const { sql } = app.services.database;
    const of = <Table extends 'messengers' | 'bank_links' | 'bank_connections' | 'deliveries'>(
      table: Table,
    ) => sql.selectFrom(table as 'messengers').where('user_id', '=', eve.id);
    return {
      messengers: await of('messengers').select(['id', 'channel_id', 'message']).execute(),
      destinations: await sql
        .selectFrom('destinations')
        .select(['id', 'team_id', 'sealed_secret'])
        .where('user_id', '=', eve.id)
        .execute(),
      others: [
        await of('bank_links').select('user_id').execute(),
        await of('bank_connections').select('user_id').execute(),
        await of('deliveries').select('user_id').execute(),
      ],
    };
  }

  const change = () =>
    eve.patch(`/messengers/${id}`, {
      ...{ slackChannel: 'C0FTRESOR00', message: 'Volé {{soldes}}', stopped: false },
    });
  const botToken = () => ({ slackBotToken: app.chat.control.install('T0BONNARD') });
  const form = (more: object = {}) =>
    eve.post('/messengers/chats/example/link', {
      values: { address: `${standin.url}/k` },
      ...more,
    });

  it.each<[string, () => Promise<Answer>]>([
    ['A change', change],
    [
      'A test in another channel',
      () => eve.post(`/messengers/slack/${id}`, { slackChannel: 'C0FTRESOR00' }),
    ],
    ['A notification with a token of the chat', () => eve.post('/messengers', botToken())],
    ['A copy', () => eve.post(`/messengers/${id}/copies`, botToken())],
    ['A link by a form', () => form()],
    ['A new link of a notification', () => form({ messengerId: linked })],
    [
      'A key of a bank',
      () => eve.post('/banks/sources/passage/connections', { values: { key: 'k' } }),
    ],
    [
      'A return from a bank’s page',
      () => eve.post('/banks/sources/passage/returns', { query: { state: nonce } }),
    ],
    [
      'A statement',
      () => eve.send('POST', `/banks/sources/releve/statements?names=${names}`, binary),
    ],
  ])('%s leaves nothing after a reset by mail', async (what, ask) => {
    if (what === 'A new link of a notification') linked = (await form()).body.id;
    const { body } = await eve.get('/bridge/items/connect');
    nonce = new URL(body.redirect_url).pathname.slice(1);
    const before = await stored();
    const hasEnded = await whileAskedReset();
    expect(await ask()).toMatchObject(notSignedIn);
    expect(hasEnded()).toBe(true);
    expect(await stored()).toEqual(before);
    expect(ended).toBe(opened);
    const { email } = eve.details;
    const { body: login } = await app.visitor.post('/accounts/login', { email, password: next });
    const { body: me } = await app.visitor.as(login.token).get('/users/me');
    for (const messenger of me.messengers) {
      expect(messenger).toMatchObject({ stopped: true, connected: false });
    }
  });

  it('A return from Slack’s page is given back after a reset by mail', async () => {
    const hasEnded = await whileAskedReset();
    const before = await stored();
    expect(await authorizeSlack(app, eve, 'T0LENOIR')).toBe('');
    expect(hasEnded()).toBe(true);
    expect(await stored()).toEqual(before);
    expect(isInstalled(app, 'T0LENOIR')).toBe(false);
  });

  it.each<[string, (owner: Client) => Promise<Answer>]>([
    [
      'a change of the password',
      (owner) =>
        owner.put('/users/me/password', { currentPassword: eve.details.password, password: next }),
    ],
    [
      'its end from another device',
      async (owner) => {
        const { body } = await owner.get('/users/me/sessions');
        const other = body.find(({ current }: { current: boolean }) => !current);
        return await owner.delete(`/users/me/sessions/${other.id}`);
      },
    ],
  ])('A change does not undo a pause after %s', async (_what, end) => {
    const { email, password } = eve.details;
    const { body: login } = await app.visitor.post('/accounts/login', { email, password });
    const owner = app.visitor.as(login.token);
    const hasEnded = whileAsked(async () => {
      const answer = await end(owner);
      expect(await owner.patch(`/messengers/${id}`, { stopped: true })).toMatchObject({
        status: 200,
      });
      return answer;
    });
    expect(await change()).toMatchObject(notSignedIn);
    expect(hasEnded()).toBe(true);
    const { body: me } = await owner.get('/users/me');
    expect(me.messengers).toMatchObject([
      { stopped: true, message: 'Bonjour', slackChannel: 'C0FGENERAL0' },
    ]);
  });
});
