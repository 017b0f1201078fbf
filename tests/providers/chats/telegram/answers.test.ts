import { describe, expect, it } from 'vitest';
import { eventually } from '../../../notifications/deliveries/fixture.ts';
import { accountsOf } from '../messages.ts';
import { ana, chat, family, openChat, post, setUpAdapter, standin } from './adapter-fixture.ts';

/** What each answer of the Bot API leads to. */
setUpAdapter();

const blocks = [accountsOf([['Banque A', 'Compte courant', '1\u202f234,56\u00a0€']])];

const installation = (code: string) => ({ end: 'permanent', kind: 'installation', code });
const channel = (code: string) => ({ end: 'permanent', kind: 'channel', code });
const rights = { end: 'permanent', kind: 'permission', code: 'no_rights' };
const fault = (code: string) => ({ end: 'fault', code });
const wait = (seconds: number | null, limitScope = 'channel') => ({
  ...{ end: 'transient', code: 'too_many_requests', limitScope },
  retryAfterSeconds: seconds,
});

const bodies: [number, string, object][] = [
  [401, 'Unauthorized', fault('bot_token')],
  [401, 'Unauthorized: invalid token specified', fault('bot_token')],
  [404, 'Not Found', fault('bot_token')],
  [404, 'Not Found: method not found', fault('method_not_found')],
  [403, 'Forbidden: bot was blocked by the user', installation('bot_blocked')],
  [403, 'Forbidden: user is deactivated', installation('user_gone')],
  [403, 'Forbidden: bot was kicked from the group chat', installation('bot_removed')],
  [403, 'Forbidden: bot was kicked from the supergroup chat', installation('bot_removed')],
  [403, 'Forbidden: bot was kicked from the channel chat', installation('bot_removed')],
  [403, 'Forbidden: bot is not a member of the supergroup chat', installation('bot_removed')],
  [403, 'Forbidden: the group chat was deleted', installation('chat_gone')],
  [403, "Forbidden: bot can't initiate conversation with a user", installation('bot_blocked')],
  [403, 'Forbidden: something new', installation('bot_removed')],
  [400, 'Bad Request: chat not found', channel('chat_gone')],
  [400, 'Bad Request: group chat was deactivated', channel('chat_gone')],
  [400, 'Bad Request: chat is deactivated', channel('chat_gone')],
  [400, 'Bad Request: CHANNEL_PRIVATE', channel('chat_gone')],
  [400, 'Bad Request: PEER_ID_INVALID', channel('chat_gone')],
  [400, 'Bad Request: message thread not found', channel('topic_gone')],
  [400, 'Bad Request: TOPIC_CLOSED', channel('topic_gone')],
  [400, 'Bad Request: TOPIC_ID_INVALID', channel('topic_gone')],
  [400, 'Bad Request: not enough rights to send text messages to the chat', rights],
  [400, 'Bad Request: have no rights to send a message', rights],
  [400, 'Bad Request: CHAT_WRITE_FORBIDDEN', rights],
  [400, 'Bad Request: CHAT_SEND_PLAIN_FORBIDDEN', rights],
  [403, 'Forbidden: CHAT_SEND_PLAIN_FORBIDDEN', rights],
  [400, 'Bad Request: CHAT_ADMIN_REQUIRED', rights],
  [400, 'Bad Request: need administrator rights in the channel chat', rights],
  [400, "Bad Request: can't parse entities: Unsupported start tag", fault('unparsable')],
  [400, 'Bad Request: message is too long', fault('too_long')],
  [400, 'Bad Request: message text is empty', fault('empty_text')],
  [400, 'Bad Request: something new', fault('refused_400')],
];

describe('an answer of the Bot API', () => {
  it.each(bodies)('%i %s', async (status, description, result) => {
    standin.control.addFault({ kind: 'error', code: description, extra: { status } });
    expect(await post(ana)).toEqual(result);
    expect(standin.control.messages(ana)).toEqual([]);
    const { end, code = '' } = result as { end: string; code?: string };
    // The user can act: each of these has words and one button.
    if (end === 'permanent') expect(chat.reasons[code]?.action).toMatch(/reconnect|resume/);
  });

  it.each([400, 401, 402, 403, 404, 405, 407, 410, 421, 451])(
    'of a proxy is tried again, and says nothing of the bot: %i',
    async (status) => {
      standin.control.addFault({ kind: 'status', status, body: '<html>Forbidden</html>' });
      const transient = { end: 'transient', limitScope: null, retryAfterSeconds: null };
      expect(await post(ana, { blocks })).toEqual({
        ...{ ...transient, code: `http_${status}`, intercepted: true },
      });
      expect(standin.control.requests()).toHaveLength(1);
      standin.control.addFault({ kind: 'status', status, body: '<html>', method: 'leaveChat' });
      await expect(chat.revoke('-99')).rejects.toMatchObject({ kind: 'unavailable' });
    },
  );

  it.each([202, 203, 204])('that a proxy has changed may be a message: %i', async (status) => {
    const body = status === 203 ? { ok: true, result: { message_id: 5 } } : '';
    standin.control.addFault({ kind: 'status', status, body, posted: true });
    expect(await post(ana, { blocks })).toEqual({ end: 'ambiguous', code: `http_${status}` });
    expect(standin.control.messages(ana)).toHaveLength(1);
  });

  it('that refuses what is too large for a limit on its way has the plain form tried', async () => {
    standin.control.addFault({ kind: 'status', status: 413, body: '<html>' });
    expect(await post(ana, { blocks })).toMatchObject({
      ...{ end: 'posted', refusedBlocks: 'refused_413' },
    });
  });

  it('of a proxy that leads elsewhere is tried again', async () => {
    standin.control.addFault({ kind: 'status', status: 302, headers: { location: '/login' } });
    const transient = { end: 'transient', limitScope: null, retryAfterSeconds: null };
    expect(await post(ana)).toEqual({ ...transient, code: 'http_302', intercepted: true });
  });

  it('names the new id of a group that became a supergroup', async () => {
    standin.control.act(family, 'upgrade-unheard');
    const result = await post(family);
    expect(result).toMatchObject({ end: 'moved', channelId: expect.stringMatching(/^-100\d+$/) });
    const moved = result.end === 'moved' ? result.channelId : '';
    expect(await post(Number(moved))).toMatchObject({ end: 'posted' });
  });

  it('asks to wait, by its own unit', async () => {
    standin.control.addFault({ kind: 'ratelimited', retryAfter: 35 });
    expect(await post(ana)).toEqual(wait(35));
    standin.control.addFault({ kind: 'ratelimited', retryAfter: null });
    expect(await post(ana)).toEqual(wait(null));
  });

  it('asks all chats to wait where it takes a message of none, else only the one', async () => {
    const limit = (times: number) =>
      standin.control.addFault({ kind: 'ratelimited', retryAfter: 5, times });
    const supergroup = -1_001_000_000_003;
    limit(4);
    for (const id of [family, family, ana]) expect(await post(id)).toEqual(wait(5));
    expect(await post(supergroup)).toEqual(wait(5, 'service'));
    expect(await post(ana)).toMatchObject({ end: 'posted' });
    limit(2);
    for (const id of [family, supergroup]) expect(await post(id)).toEqual(wait(5));
  });

  it.each(['drop', 'truncated', 'html'] as const)(
    'that is lost may be a message: %s',
    async (kind) => {
      standin.control.addFault({ kind, posted: true });
      expect(await post(ana)).toMatchObject({ end: 'ambiguous' });
      expect(chat.repeat).toBe('never');
    },
  );

  it('that stops halfway may be a message', async () => {
    standin.control.addFault({ kind: 'stall', posted: true });
    const posted = post(ana);
    await eventually(
      () => standin.control.messages(ana),
      (messages) => messages.length > 0,
    );
    standin.control.clearFaults();
    expect(await posted).toMatchObject({ end: 'ambiguous' });
  });

  it.each([500, 502, 504])('of a server that failed may be a message: %i', async (status) => {
    standin.control.addFault({ kind: 'status', status });
    expect(await post(ana)).toEqual({ end: 'ambiguous', code: `http_${status}` });
  });
});

describe('a message', () => {
  it('is posted once, with its number', async () => {
    expect(await post(ana)).toMatchObject({ end: 'posted', certainty: 'shown', receipt: /^\d+$/ });
  });

  it('with accounts is a rich one, and carries a button', async () => {
    await post(ana, { blocks });
    const [sent] = standin.control.messages(ana);
    expect(sent).toMatchObject({
      method: 'sendRichMessage',
      body: {
        rich_message: { skip_entity_detection: true, blocks: [{ type: 'table' }] },
        reply_markup: {
          inline_keyboard: [[{ text: 'Ouvrir Tirelire', url: 'https://tirelire.exemple.fr/' }]],
        },
      },
    });
  });

  it.each(['http://localhost:3000', 'https://localhost:8443', 'https://tirelire'])(
    'has no button to an address that Telegram refuses: %s',
    async (publicUrl) => {
      expect(await post(ana, { blocks }, openChat({ publicUrl }))).toMatchObject({ end: 'posted' });
      expect(standin.control.messages(ana)[0]?.body).not.toHaveProperty('reply_markup');
    },
  );

  it('goes out in the plain form where rich ones are refused, and says so', async () => {
    standin.control.addFault({ kind: 'error', code: 'Bad Request: RICH_BLOCK_INVALID' });
    expect(await post(ana, { blocks })).toMatchObject({
      end: 'posted',
      refusedBlocks: 'refused_400',
    });
    const [sent] = standin.control.messages(ana);
    expect(sent).toMatchObject({ method: 'sendMessage', body: { parse_mode: 'HTML' } });
    expect(String(sent?.body.text)).toMatch(/<pre>[^<]*Compte courant {2}1 234,56\s*<\/pre>/);
  });

  it('asks a server that knows no rich messages once', async () => {
    standin.control.setRichKnown(false);
    const first = await post(ana, { blocks });
    expect(first).toMatchObject({ end: 'posted' });
    expect(first).not.toHaveProperty('refusedBlocks');
    await post(ana, { blocks });
    const methods = standin.control.requests().map(({ path }) => path.split('/').at(-1));
    expect(methods).toEqual(['sendRichMessage', 'sendMessage', 'sendMessage']);
  });

  it('is not tried in another form where the chat itself refuses', async () => {
    standin.control.act(ana, 'out');
    expect(await post(ana, { blocks })).toEqual(installation('bot_blocked'));
    expect(standin.control.requests()).toHaveLength(1);
  });
});
