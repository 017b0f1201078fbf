import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createGuard } from '../../../../src/server/platform/http-client/guarded-client.ts';
import { createMattermostBot } from '../../../../src/server/providers/chats/mattermost/bot-adapter.ts';
import type { PostResult } from '../../../../src/server/providers/chats/posting.ts';
import { botToken, channelId } from '../../../../standins/mattermost/bot.ts';
import { channels, startMattermostStandin } from '../../../../standins/mattermost/server.ts';
import type {
  ChannelFault,
  WebhookChatStandin,
} from '../../../../standins/service/webhook-chat.ts';
import { manualClock } from '../../../support/clock.ts';
import { accountsOf, anyText, names } from '../messages.ts';

const [treasury] = channels as [(typeof channels)[number]];
let standin: WebhookChatStandin;
let guard: ReturnType<typeof createGuard>;
let bot: ReturnType<typeof createMattermostBot>;

beforeAll(async () => {
  standin = await startMattermostStandin({ clock: manualClock() });
  guard = createGuard({ log: pino({ level: 'silent' }), standinOrigins: [standin.url] });
  bot = createMattermostBot(guard.open({}));
});
afterEach(() => {
  standin.control.clearFaults();
  standin.control.clearMessages();
});
afterAll(async () => {
  await guard.close();
  await standin.close();
});

const bodies = () => standin.control.messages(treasury.id).map(({ body }) => body);

describe('what the server answers a bot', () => {
  const secret = () => JSON.stringify({ server: standin.url, token: botToken });
  let count = 0;
  const post = (text = 'Bonjour', to = channelId(treasury)) => {
    count += 1;
    const message = { channelId: to, text, clientMessageId: `essai-${count}` };
    return bot.post(secret(), message);
  };
  const permanent = (kind: 'installation' | 'channel', code: string) =>
    ({ end: 'permanent', kind, code }) as PostResult;
  const error = (status: number, code: string): ChannelFault => ({
    ...{ kind: 'error', code, extra: { status } },
  });
  const cases: [string, ChannelFault, PostResult][] = [
    [
      'a dead token',
      error(401, 'api.context.session_expired.app_error'),
      permanent('installation', 'token_dead'),
    ],
    [
      'a token at its end',
      error(401, 'app.user_access_token.expired'),
      permanent('installation', 'token_dead'),
    ],
    [
      'no member',
      error(403, 'api.context.permissions.app_error'),
      permanent('channel', 'not_in_channel'),
    ],
    [
      'an unknown channel',
      error(400, 'api.context.invalid_param.app_error'),
      permanent('channel', 'channel_gone'),
    ],
    [
      'an archived channel',
      error(400, 'api.post.create_post.can_not_post_to_deleted.error'),
      permanent('channel', 'channel_archived'),
    ],
    [
      'a text that is too long',
      error(400, 'model.post.is_valid.message_length.app_error'),
      { end: 'fault', code: 'message_length' },
    ],
    [
      'a first try that is still saved',
      error(500, 'api.post.deduplicate_create_post.pending'),
      { end: 'ambiguous', code: 'still_saving' },
    ],
    [
      'a busy server',
      error(503, 'api.context.server_busy.app_error'),
      { end: 'transient', code: 'server_busy', limitScope: null, retryAfterSeconds: null },
    ],
    [
      'a limit',
      { kind: 'ratelimited', retryAfter: 7 },
      { end: 'transient', code: 'limited', limitScope: 'team', retryAfterSeconds: 7 },
    ],
    [
      'a limit that only its own header tells, in words',
      {
        kind: 'status',
        status: 429,
        body: 'limit exceeded',
        headers: { 'x-ratelimit-reset': '3' },
      },
      { end: 'transient', code: 'limited', limitScope: 'team', retryAfterSeconds: 3 },
    ],
    [
      'a channel that is none',
      error(404, 'app.channel.get.existing.app_error'),
      permanent('channel', 'channel_gone'),
    ],
    [
      'something turned off',
      error(501, 'api.post.create_post.off.app_error'),
      { end: 'permanent', kind: 'permission', code: 'turned_off' },
    ],
    [
      'a refusal of a proxy',
      { kind: 'status', status: 403 },
      {
        end: 'transient',
        code: 'http_403',
        intercepted: true,
        limitScope: null,
        retryAfterSeconds: null,
      },
    ],
    [
      'a body that is too large',
      { kind: 'status', status: 413 },
      { end: 'fault', code: 'refused_413' },
    ],
    [
      'an error without an id',
      { kind: 'status', status: 502 },
      { end: 'ambiguous', code: 'http_502' },
    ],
  ];
  it.each(cases)('%s', async (_name, fault, result) => {
    standin.control.addFault(fault);
    expect(await post()).toEqual(result);
    if (result.end === 'permanent') expect(bot.reasons[result.code]?.sentence).toMatch(/\.$/);
  });

  it('takes a text that is longer than a post, and is told that it was cut', async () => {
    expect(await post('é'.repeat(20_000))).toMatchObject({ end: 'posted' });
    const [{ message } = { message: '' }] = bodies();
    expect([...String(message)].length).toBeLessThanOrEqual(16_383);
    expect(message).toMatch(/… \(message coupé\)$/);
  });

  it('lists a thousand channels, each with its purpose', async () => {
    const answer = Array.from({ length: 1000 }, (_item, index) => ({
      ...{ id: `canal${index}`.padEnd(26, '0'), team_id: 'equipe', type: 'O', delete_at: 0 },
      ...{ display_name: `Canal\u0000 ${index}`, name: `canal-${index}`, header: 'h'.repeat(400) },
    }));
    standin.control.addFault({ kind: 'delay' });
    standin.control.addFault({ kind: 'status', status: 200, body: answer });
    const { channels: listed, complete } = await bot.listChannels(secret());
    expect([listed.length, complete]).toEqual([1000, true]);
    // No column holds U+0000: the channel that is chosen is stored by its name.
    expect(listed[7]?.name).toBe('Canal\ufffd 7');
  });

  it('the same message twice within thirty seconds stands once', async () => {
    const message = {
      channelId: channelId(treasury),
      text: 'Bonjour',
      clientMessageId: 'deux-fois',
    };
    const first = await bot.post(secret(), message);
    expect(await bot.post(secret(), message)).toEqual(first);
    expect(bodies()).toHaveLength(1);
    expect(bot.repeat).toEqual({ withinMs: 25_000 });
  });

  it('draws the accounts as a table, in one post', async () => {
    const blocks = [accountsOf([['Banque A', 'Courant', '1 234,56 €']])];
    const message = { text: 'Soldes', blocks, clientMessageId: 'tableau' };
    await bot.post(secret(), { channelId: channelId(treasury), ...message });
    expect(bodies()).toHaveLength(1);
    expect(bodies()[0]?.message).toMatch(/^\| Compte \| Solde \|[^\n]*\n\|:?-+\|-+:\|/m);
  });

  it('any letters and names call nobody', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText('@all @here @channel @ana &#64;all'),
        names,
        async (text, [bank, account]) => {
          const blocks = [{ type: 'text' as const, text }, accountsOf([[bank, account, '1 €']])];
          await bot.post(secret(), {
            channelId: channelId(treasury),
            text,
            blocks,
            clientMessageId: '',
          });
          expect(standin.control.mentionCount()).toBe(0);
          standin.control.clearMessages();
        },
      ),
      { numRuns: 100 },
    );
  });
});
