import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { createGuard } from '../../../../src/server/platform/http-client/guarded-client.ts';
import { createMattermost } from '../../../../src/server/providers/chats/mattermost/adapter.ts';
import type { ChatProvider } from '../../../../src/server/providers/chats/port.ts';
import type { PostResult } from '../../../../src/server/providers/chats/posting.ts';
import type { MessageBlock } from '../../../../src/shared/contract/messages.ts';
import { drawMarkdown } from '../../../../standins/mattermost/markdown.ts';
import {
  channels,
  startMattermostStandin,
  webhookOf,
} from '../../../../standins/mattermost/server.ts';
import type {
  ChannelFault,
  WebhookChatStandin,
} from '../../../../standins/service/webhook-chat.ts';
import { accountsOf, anyText, manyAccounts, names } from '../messages.ts';

const [channel] = channels;
if (!channel) throw new Error('no channel');
let standin: WebhookChatStandin;
let chat: ChatProvider;
let secret: string;
let guard: ReturnType<typeof createGuard>;

beforeAll(async () => {
  standin = await startMattermostStandin({ clock: { now: () => new Date() } });
  guard = createGuard({ log: pino({ level: 'silent' }), standinOrigins: [standin.url] });
  chat = createMattermost(guard.open({}));
  secret = webhookOf(standin.url, channel);
});
afterEach(() => {
  standin.control.setState(channel.id, 'open');
  standin.control.clearFaults();
  standin.control.clearMessages();
});
afterAll(async () => {
  await guard.close();
  await standin.close();
});

function post(text: string, blocks?: MessageBlock[]): Promise<PostResult> {
  const message = { channelId: 'webhook', text, clientMessageId: 'b1' };
  return chat.post(secret, blocks ? { ...message, blocks } : message);
}

/** What is seen of a message. */
const lettersOf = (html: string) => html.replace(/<[^>]*>|[\s\u2060]/g, '');

const arrived = () => standin.control.messages(channel.id).map(({ body }) => String(body.text));

describe('a message', () => {
  it('is posted in the notation of Mattermost', async () => {
    const text =
      '*gras* _italique_ ~barré~ `code`\n> cité\n# titre\n1. liste https://exemple.fr/a_b';
    expect(await post(text)).toEqual({ end: 'posted', receipt: null, certainty: 'shown' });
    expect(arrived()).toEqual([
      [
        '**gras** _italique_ ~~barré~~ `code`',
        '> cité',
        '',
        '\\# titre',
        '1\\. liste [https://exemple.fr/a_b](https://exemple.fr/a%5Fb)',
      ].join('\n'),
    ]);
  });

  it.each([
    [
      'Bonjour\u2028à tous\r\n\r\n> cité\r\n> encore\rfin',
      'Bonjour\nà tous\n\n> cité\n> encore\n\nfin',
    ],
    ['C:\\Compta \\* fin\\', 'C:\\Compta \\\\\\* fin\\\\'],
    ['Total\n=====', 'Total\n\u2060====='],
    ['exemple.fr/mes_comptes _ 1', 'exemple.fr/mes_comptes \\_ 1'],
    ['\u00a0# un\n\u00a0- deux', '\\# un\n\u00a0\\- deux'],
    ['Voir !https://exemple.fr/a', 'Voir !\u2060[https://exemple.fr/a](https://exemple.fr/a)'],
  ])('loses and adds no letter: %j', async (text, printed) => {
    await post(text);
    expect(arrived()).toEqual([printed]);
    expect(lettersOf(drawMarkdown(printed))).toBe(lettersOf(text.replaceAll('> ', '')));
  });

  it('draws the accounts as a table, with their amounts at the right', async () => {
    await post('Soldes', [
      { type: 'text', text: 'Soldes' },
      accountsOf([
        ['Banque A', 'Courant | commun', '1 234,56 €'],
        ['Banque B', 'Livret', '9 876,00 €'],
      ]),
      { type: 'context', text: 'Soldes donnés hier' },
    ]);
    expect(arrived()).toEqual([
      [
        'Soldes',
        '',
        '| Compte | Solde | Mise à jour |',
        '|:--|--:|:--|',
        '| **Banque A** |  |  |',
        '| Courant \\| commun | 1 234,56 € | 07:12 |',
        '| **Banque B** |  |  |',
        '| Livret | 9 876,00 € | 07:12 |',
        '',
        '_Soldes donnés hier_',
      ].join('\n'),
    ]);
  });

  it('is one post however many accounts there are, and the hidden ones are counted', async () => {
    for (const count of [1, 50, 400, 2000]) {
      standin.control.clearMessages();
      const { blocks, text } = manyAccounts(chat.capacity, count);
      expect(await post(text, blocks)).toMatchObject({ end: 'posted' });
      expect(arrived()).toHaveLength(1);
      const [posted = ''] = arrived();
      const shown = posted.split('\n').filter((line) => line.startsWith('| ')).length - 1;
      expect(shown < count).toBe(posted.includes('autres comptes'));
    }
  });

  it('of any letters and names calls nobody', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText('@all @here @channel @ana <!channel> <!all|x> <ana> &#64;all &commat;all'),
        names,
        async (text, [bank, account]) => {
          await post(text);
          await post(text, [
            { type: 'text', text },
            accountsOf([[bank, account, '1 €']]),
            { type: 'context', text: account },
          ]);
          expect(standin.control.mentionCount()).toBe(0);
          standin.control.clearMessages();
        },
      ),
      { numRuns: 150 },
    );
  });

  it('calls nobody by what an address holds', async () => {
    await post('https://exemple.fr/@all?a=1&b=2&commat;all&#64;here https://ana@exemple.fr/');
    expect(standin.control.mentionCount()).toBe(0);
    expect(arrived()[0]).toContain('(https://exemple.fr/%40all?a=1&b=2%26commat;all%26#64;here)');
  });

  it('would call people if nothing were disarmed', async () => {
    for (const text of ['@channel', 'à @ana.', '\\@here', '<!all>', '&#64;all', '(@ana)']) {
      standin.control.clearMessages();
      await fetch(secret, { method: 'POST', body: JSON.stringify({ text }) });
      expect(standin.control.mentionCount(), text).toBeGreaterThan(0);
    }
  });
});

describe('what the server answers', () => {
  test.each([
    [400, 'web.incoming_webhook.invalid.app_error', 'installation', 'hook_gone'],
    [501, 'web.incoming_webhook.disabled.app_error', 'permission', 'hooks_off'],
    [404, 'app.channel.get.existing.app_error', 'installation', 'channel_gone'],
    [404, 'web.incoming_webhook.channel.app_error', 'installation', 'channel_gone'],
    [403, 'web.incoming_webhook.permissions.app_error', 'installation', 'not_allowed'],
    [400, 'web.incoming_webhook.user.app_error', 'installation', 'maker_gone'],
    [403, 'web.incoming_webhook.channel_locked.app_error', 'installation', 'not_allowed'],
  ])('%i %s is permanent', async (status, code, kind, ours) => {
    standin.control.addFault({ kind: 'error', code, extra: { status } });
    expect(await post('Bonjour')).toEqual({ end: 'permanent', kind, code: ours });
    expect(chat.reasons[ours]?.sentence).toMatch(/\.$/);
  });

  const cases: [string, ChannelFault, PostResult, number][] = [
    ['a failure while saving', { kind: 'error' }, { end: 'ambiguous', code: 'not_saved' }, 0],
    [
      'a failure after posting',
      { kind: 'error', posted: true },
      { end: 'ambiguous', code: 'not_saved' },
      1,
    ],
    [
      'a busy server',
      { kind: 'error', code: 'api.context.server_busy.app_error', extra: { status: 503 } },
      { end: 'transient', code: 'server_busy', limitScope: null, retryAfterSeconds: null },
      0,
    ],
    [
      'a limit that says how long',
      { kind: 'ratelimited', retryAfter: 7 },
      { end: 'transient', code: 'limited', limitScope: 'team', retryAfterSeconds: 7 },
      0,
    ],
    [
      'a limit that says nothing',
      { kind: 'ratelimited', retryAfter: null },
      { end: 'transient', code: 'limited', limitScope: 'team', retryAfterSeconds: null },
      0,
    ],
    [
      'an error of a proxy',
      { kind: 'status', status: 502 },
      { end: 'ambiguous', code: 'http_502' },
      0,
    ],
    [
      'a page in place of an answer',
      { kind: 'html' },
      { end: 'ambiguous', code: 'unreadable_answer' },
      0,
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
      0,
    ],
    [
      'one that is longer than an answer may be',
      { kind: 'status', status: 403, body: `<html>${'x'.repeat(100_000)}</html>` },
      {
        end: 'transient',
        code: 'http_403',
        intercepted: true,
        limitScope: null,
        retryAfterSeconds: null,
      },
      0,
    ],
    [
      'an answer that is longer than it may be',
      { kind: 'status', status: 200, body: 'x'.repeat(100_000) },
      { end: 'ambiguous', code: 'network_too_large' },
      0,
    ],
    [
      'a body of ours that is refused',
      { kind: 'status', status: 413 },
      { end: 'fault', code: 'refused_413' },
      0,
    ],
    [
      'a lost answer',
      { kind: 'drop', posted: true },
      { end: 'ambiguous', code: 'network_reset' },
      1,
    ],
    [
      'a way to another place',
      { kind: 'status', status: 302, headers: { location: 'http://127.0.0.1/' } },
      { end: 'transient', code: 'redirected', limitScope: null, retryAfterSeconds: null },
      0,
    ],
  ];
  it.each(cases)('%s', async (_name, fault, result, posted) => {
    standin.control.addFault(fault);
    expect(await post('Bonjour')).toEqual(result);
    expect(arrived()).toHaveLength(posted);
  });

  it('a table that would make several posts goes out as text alone, once', async () => {
    const code = 'web.incoming_webhook.split_props_length.app_error';
    standin.control.addFault({ kind: 'error', code, extra: { status: 400 } });
    const blocks = [accountsOf([['Banque A', 'Courant', '1 €']])];
    expect(await post('Courant : 1 €', blocks)).toMatchObject({
      ...{ end: 'posted', refusedBlocks: 'split_props_length' },
    });
    expect(arrived()).toEqual(['Courant : 1 €']);
  });

  it('a webhook that its maker deleted, one that is off, and an archived channel', async () => {
    const results: Record<string, PostResult> = {};
    for (const state of ['deleted', 'disabled', 'archived']) {
      standin.control.setState(channel.id, state);
      results[state] = await post('Bonjour');
    }
    expect(results).toEqual({
      deleted: { end: 'permanent', kind: 'installation', code: 'hook_gone' },
      disabled: { end: 'permanent', kind: 'permission', code: 'hooks_off' },
      archived: { end: 'ambiguous', code: 'not_saved' },
    });
  });

  it('an answer that was lost is not asked for again, because the webhook knows no message', () => {
    expect(chat.repeat).toBe('never');
  });
});
