import { expect, test } from 'vitest';
import { follow, newPerson } from '../support/served.ts';
import {
  type Card,
  type ChatLifecycle,
  consent,
  expectedChannels,
  fieldsOf,
  handleFrom,
  workspace,
} from './chat-consent.ts';
import { posting, reconnecting } from './chat-posting.ts';

/** A person's lifecycle with the chat, told in order: each test goes on where the last one ended. */
export function chatLifecycle(lifecycle: () => ChatLifecycle): void {
  let card: Card;
  connecting(lifecycle, (made) => {
    card = made;
  });
  choosing(lifecycle, () => card);
  posting(lifecycle, () => card);
  reconnecting(lifecycle, () => card);
}

function connecting(lifecycle: () => ChatLifecycle, keep: (card: Card) => void): void {
  let state = '';

  test('without a workspace there is nothing to add a notification to', async () => {
    const { person } = lifecycle();
    expect(await person.post('/messengers', {})).toMatchObject({
      status: 409,
      body: { code: 'Slack_Not_Connected' },
    });
    expect((await person.get('/users/me')).body).toMatchObject({ messengers: [] });
  });

  test('the person who says no comes back with a word about it', async () => {
    const { url, person, chat } = lifecycle();
    const { back } = await consent(lifecycle(), { decision: 'annuler' });
    const { next } = await follow(back);
    expect(next).toBe(`${url}/?notice=slack-cancelled`);
    expect(chat.control.requests()).toEqual([]);
    expect(await person.post('/messengers', {})).toMatchObject({ status: 409 });
  });

  test('the person who says yes gets a handle, and posting it makes the notification', async () => {
    const { url, person, chat, generation } = lifecycle();
    const { back, page } = await consent(lifecycle());
    const handle = await handleFrom(back, url);
    const exchange = chat.control.requests().find(({ path }) => path.includes('oauth.'));
    expect(exchange?.path).toBe(
      generation === 'classic' ? '/api/oauth.access' : '/api/oauth.v2.access',
    );
    expect(exchange?.query).toBe('');
    expect(fieldsOf(exchange)).toMatchObject({
      client_id: chat.clientId,
      client_secret: chat.clientSecret,
      redirect_uri: `${url}/api/messengers/slack/callback`,
    });
    const { status, body } = await person.post('/messengers', { slackBotToken: handle });
    expect(status).toBe(201);
    expect(body).toMatchObject(newCard);
    expect(JSON.stringify(body)).not.toMatch(/xox[bp]/);
    keep(body);
    state = page.searchParams.get('state') ?? '';
  });

  test('the same way back, taken twice, gives nothing more', async () => {
    const { url, person } = lifecycle();
    const replay = `${url}/api/messengers/slack/callback?code=1.2&state=${encodeURIComponent(state)}`;
    expect((await follow(replay)).next).toBe(`${url}/?notice=slack-expired`);
    const forged = `${url}/api/messengers/slack/callback?code=1.2&state=forged`;
    expect((await follow(forged)).next).toBe(`${url}/?notice=slack-expired`);
    const { body } = await person.get('/users/me');
    expect(body.messengers).toHaveLength(1);
  });

  test('nobody else can use the handle', async () => {
    const { url, person } = lifecycle();
    const { body } = await person.get('/users/me');
    const [{ slackBotToken, id }] = body.messengers as [Card];
    const outsider = await newPerson(url, 'slack-outsider@example.fr');
    expect((await outsider.post('/messengers', { slackBotToken })).status).toBe(422);
    expect((await outsider.patch(`/messengers/${id}`, { message: 'À moi' })).status).toBe(404);
    expect((await outsider.post(`/messengers/slack/${id}`)).status).toBe(404);
    expect((await outsider.delete(`/messengers/${id}`)).status).toBe(404);
    expect((await outsider.get('/messengers/slack/channels')).status).toBe(409);
  });
}

function choosing(lifecycle: () => ChatLifecycle, card: () => Card): void {
  test('channels of all pages come sorted, without archived ones or those the bot cannot see', async () => {
    const { person, chat } = lifecycle();
    const before = chat.control.requests().length;
    const { status, body } = await person.get('/messengers/slack/channels');
    expect({ status, body }).toEqual({ status: 200, body: expectedChannels });
    const pages = chat.control.requests().slice(before);
    expect(pages).toHaveLength(5);
    for (const page of pages) {
      expect(page.path).toBe('/api/conversations.list');
      expect(page.headers.authorization).toMatch(/^Bearer xoxb-/);
      expect(new URLSearchParams(page.query).has('token')).toBe(false);
      expect(fieldsOf(page)).not.toHaveProperty('token');
    }
  });

  test('channels asked for again come from memory, and anew on demand', async () => {
    const { person, chat } = lifecycle();
    const before = chat.control.requests().length;
    const again = `/messengers/slack/channels?messengerId=${card().id}`;
    expect((await person.get(again)).body).toEqual(expectedChannels);
    expect(chat.control.requests()).toHaveLength(before);
    expect((await person.get(`${again}&refresh=1`)).body).toEqual(expectedChannels);
    expect(chat.control.requests().length).toBeGreaterThan(before);
  });

  test('a list that is cut short shows what there is; one that fails at once says so', async () => {
    const { person, chat } = lifecycle();
    const again = '/messengers/slack/channels?refresh=1';
    const method = 'conversations.list';
    const headers = { 'retry-after': '30' };
    const limited = { method, kind: 'status', status: 429, headers, body: '' } as const;
    chat.control.addFault({ method, kind: 'delay', ms: 0, times: 2 });
    chat.control.addFault(limited);
    const names = ['compta', 'général', 'zoé-et-les-autres'];
    const cut: { name: string }[] = (await person.get(again)).body;
    expect(cut.map(({ name }) => name)).toEqual(names);
    for (const fault of [limited, { method, kind: 'html' }] as const) {
      chat.control.addFault(fault);
      expect(await person.get(again)).toMatchObject({
        status: 503,
        body: { code: 'Slack_Unavailable' },
      });
    }
    expect((await person.get(again)).body).toEqual(expectedChannels);
  });

  test('a channel of the workspace, an hour and a text are kept', async () => {
    const { person } = lifecycle();
    const { status, body } = await person.patch(`/messengers/${card().id}`, {
      ...card(),
      slackChannel: 'C0PRIVATE1',
      message: 'Bonjour <!channel> & *tous*',
      hour: { hours: 8, minutes: 15, timeZone: '+0900', zone: null },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: card().id,
      slackChannel: 'C0PRIVATE1',
      slackChannelName: 'banque',
      message: 'Bonjour <!channel> & *tous*',
      hour: { hours: 8, minutes: 15, timeZone: '+0900', zone: null },
      nextDate: expect.stringMatching(/T23:15:00\.000Z$/),
    });
  });

  test('a channel that is not there, is archived or hidden is refused, and nothing is lost', async () => {
    const { person, chat } = lifecycle();
    for (const slackChannel of ['C0NOWHERE1', 'C0ARCHIVE1', 'C0SECRET01']) {
      expect(await person.patch(`/messengers/${card().id}`, { slackChannel })).toMatchObject({
        status: 422,
        body: { code: 'Invalid_Messenger' },
      });
    }
    const method = 'conversations.info';
    chat.control.addFault({ method, kind: 'status', status: 503, body: 'later' });
    const late = await person.patch(`/messengers/${card().id}`, { slackChannel: 'C0PUBLIC01' });
    expect(late).toMatchObject({ status: 503, body: { code: 'Slack_Unavailable' } });
    const { body } = await person.get('/users/me');
    expect(body.messengers).toMatchObject([{ slackChannel: 'C0PRIVATE1' }]);
  });
}

const newCard = {
  slackTeamName: workspace.name,
  slackBotToken: expect.stringMatching(/^tirelire-slack-[\w-]{43}$/),
  slackChannel: null,
  slackChannelName: null,
  message: '',
  hour: { hours: 9, minutes: 0, zone: 'Europe/Paris' },
  nextDate: null,
  connected: true,
  pause: null,
};
