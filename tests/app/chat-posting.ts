import { expect, test } from 'vitest';
import {
  type Card,
  type ChatLifecycle,
  calls,
  channels,
  consent,
  expectedChannels,
  fieldsOf,
  handleFrom,
  tokensOf,
  workspace,
} from './chat-consent.ts';

/** Tests sent by hand: what arrives, and how each failure is told. */
export function posting(lifecycle: () => ChatLifecycle, card: () => Card): void {
  test('a test message arrives as typed, calls nobody and keeps its secret to the header', async () => {
    const { person, chat } = lifecycle();
    expect(await person.post(`/messengers/slack/${card().id}`)).toEqual(
      expect.objectContaining({ status: 200, body: { outcome: 'delivered' } }),
    );
    const asked = chat.control.requests().at(-1);
    expect(asked).toMatchObject({ method: 'POST', path: '/api/chat.postMessage', query: '' });
    expect(asked?.headers.authorization).toMatch(/^Bearer xoxb-/);
    expect(chat.control.log()).toHaveLength(1);
    expect(chat.control.messages(workspace.id, 'C0PRIVATE1')).toMatchObject([
      { text: 'Bonjour &lt;!channel&gt; &amp; *tous*' },
    ]);
    const fields = fieldsOf(asked);
    expect(fields.client_msg_id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    expect(String(fields.unfurl_links)).toBe('false');
    for (const name of ['token', 'link_names', 'as_user', 'username']) {
      expect(fields).not.toHaveProperty(name);
    }
  });

  test('an unsaved draft goes where it says, in a public channel the bot never joined', async () => {
    const { person, chat } = lifecycle();
    const draft = { message: 'Été à Ōsaka 🐢', slackChannel: 'C0PUBLIC01' };
    expect((await person.post(`/messengers/slack/${card().id}`, draft)).status).toBe(200);
    expect(chat.control.messages(workspace.id, 'C0PUBLIC01')).toMatchObject([
      { text: 'Été à Ōsaka 🐢' },
    ]);
    const { body } = await person.get('/users/me');
    expect(body.messengers).toMatchObject([{ slackChannel: 'C0PRIVATE1', pause: null }]);
  });

  test('each way of failing is told as what it is, and none is tried again', async () => {
    const { person, chat } = lifecycle();
    const error = (code: string, extra = {}) => ({ kind: 'error', code, extra }) as const;
    const lost = { kind: 'drop', posted: true } as const;
    const headers = { 'retry-after': '1' };
    const limited = { kind: 'status', status: 429, headers, body: '' } as const;
    // Each in a channel of its own: in one, a message waits a second for the one before it.
    const ends = [
      ['C0PRIVATE1', error('is_archived'), 409, /archivé/],
      ['G0PRIVATE2', error('missing_scope', { needed: 'chat:write' }), 409, /Reconnectez/],
      ['C0PUBLIC00', error('restricted_action'), 409, /droit/],
      ['C0PUBLIC02', error('a_code_of_next_year'), 409, /notre côté/],
      ['C0EXTERN01', lost, 503, /peut-être/],
      ['C0BARE0001', limited, 409, /limite/],
    ] as const;
    for (const [slackChannel, fault, status, words] of ends) {
      const before = calls(chat, 'chat.postMessage');
      chat.control.addFault({ method: 'chat.postMessage', ...fault });
      const told = await person.post(`/messengers/slack/${card().id}`, { slackChannel });
      const code = status === 409 ? 'Delivery_Failed' : 'Delivery_Unanswered';
      expect(told).toMatchObject({ status, body: { code, message: expect.stringMatching(words) } });
      expect(calls(chat, 'chat.postMessage') - before).toBe(1);
    }
    const { body } = await person.get(`/messengers/${card().id}/deliveries`);
    const outcomes = (body.deliveries as { outcome: string }[]).map(({ outcome }) => outcome);
    const failed = ['failed', 'uncertain', 'failed', 'failed', 'failed', 'failed'];
    expect(outcomes).toEqual([...failed, 'delivered', 'delivered']);
  });
}

/** A workspace lost, found again, another one, and a caller's own token. */
export function reconnecting(lifecycle: () => ChatLifecycle, card: () => Card): void {
  test('a workspace that removed the bot is told, and connected again keeps its settings', async () => {
    const { url, person, chat } = lifecycle();
    await chat.control.uninstall(workspace.id);
    // The limit that the chat asked for above has its second to run.
    const send = () => person.post(`/messengers/slack/${card().id}`);
    await expect.poll(send, { timeout: 10_000 }).toMatchObject({
      status: 409,
      body: { code: 'Delivery_Failed', message: expect.stringMatching(/Reconnectez/) },
    });
    const handle = await handleFrom((await consent(lifecycle())).back, url);
    // Its membership of private channels ended with it: somebody invites it again.
    for (const { id, isMember = false } of channels) {
      chat.control.setChannel(workspace.id, id, { isMember });
    }
    const { status, body } = await person.post('/messengers', { slackBotToken: handle });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: card().id, slackChannel: 'C0PRIVATE1', connected: true });
    expect((await send()).status).toBe(200);
  });

  test('whoever declined the private channels still chooses among the public ones', async () => {
    const { person, chat, generation } = lifecycle();
    chat.control.withdrawScope(workspace.id, 'groups:read');
    const { status, body } = await person.get('/messengers/slack/channels?refresh=1');
    expect(status).toBe(200);
    // A classic app has one scope for everything, of which nothing can be declined.
    const isShown = ({ isPrivate }: { isPrivate: boolean }) =>
      generation === 'classic' || !isPrivate;
    expect(body).toEqual(expectedChannels.filter(isShown));
  });

  test('another workspace gets a notification of its own, under its own name', async () => {
    const { url, person, chat } = lifecycle();
    const annex = { id: 'T07ANNEXE', name: 'Annexe' };
    chat.control.addTeam({ ...annex, channels });
    const { back } = await consent(lifecycle(), { team: annex.id });
    const handle = await handleFrom(back, url);
    const { status, body } = await person.post('/messengers', { slackBotToken: handle });
    expect(status).toBe(201);
    expect(body).toMatchObject({ slackTeamName: 'Annexe', slackChannel: null });
    expect(body.id).not.toBe(card().id);
    expect((await person.delete(`/messengers/${body.id}`)).status).toBe(204);
  });

  test('a raw bot token of an API caller is checked and never given back', async () => {
    const { person, chat } = lifecycle();
    const token = tokensOf(chat).at(-1) ?? '';
    const { status, body } = await person.post('/messengers', { slackBotToken: token });
    expect(status).toBe(201);
    expect(calls(chat, 'auth.test')).toBe(1);
    expect(JSON.stringify(body)).not.toContain(token);
    const unknown = await person.post('/messengers', { slackBotToken: 'xoxb-nobody-knows-it' });
    expect(unknown).toMatchObject({ status: 422, body: { code: 'Slack_Handle_Invalid' } });
  });
}
