import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { createHttpClient } from '../../../../src/server/platform/http-client/http-client.ts';
import type { PostResult } from '../../../../src/server/providers/chats/posting.ts';
import { createSlack } from '../../../../src/server/providers/chats/slack/adapter.ts';
import type { MessageBlock } from '../../../../src/shared/contract/messages.ts';
import type { Fault } from '../../../../standins/slack/faults.ts';
import { type SlackStandin, startSlackStandin } from '../../../../standins/slack/server.ts';
import { accountsOf, manyAccounts } from '../messages.ts';

const team = 'T0FONTAINE';
const treasury = 'C0FTRESOR00';
const log = pino({ level: 'silent' });
const httpClient = createHttpClient({ log });
let standin: SlackStandin;
let slack: ReturnType<typeof createSlack>;
let token: string;

beforeAll(async () => {
  standin = await startSlackStandin({ clock: { now: () => new Date() } });
  slack = createSlack({
    httpClient,
    configuration: {
      apiUrl: standin.apiUrl,
      authorizeUrl: standin.authorizeUrls.classic,
      scope: 'bot',
      clientId: standin.clientId,
      clientSecret: standin.clientSecret,
      signingSecrets: [standin.signingSecret],
    },
  });
  token = standin.control.install(team);
});

afterEach(() => {
  standin.control.clearFaults();
  standin.control.clearMessages();
});

afterAll(async () => {
  await httpClient.close();
  await standin.close();
});

function post(text = 'Bonjour', channelId = treasury): Promise<PostResult> {
  return slack.post(token, { channelId, text, clientMessageId: 'b1f6d8f0-0000-4000-8000-1' });
}

describe('A message that Slack takes', () => {
  it('is confirmed with its time stamp and keeps the id we gave it', async () => {
    const result = await post();
    const [row] = standin.control.log();
    expect(result).toEqual({ end: 'posted', receipt: row?.[4], certainty: 'shown' });
    expect(row?.[3]).toBe('b1f6d8f0-0000-4000-8000-1');
  });

  it('calls nobody: the three signs arrive escaped, styles as written', async () => {
    await post('<!channel> & *gras* <https://exemple.fr|ici>');
    expect(standin.control.messages(team, treasury)[0]?.text).toBe(
      '&lt;!channel&gt; &amp; *gras* &lt;https://exemple.fr|ici&gt;',
    );
  });
});

describe('A message with charts', () => {
  const points = Array.from({ length: 20 }, (_, index) => ({
    ...{ day: `2026-01-${String(index + 1).padStart(2, '0')}`, value: index - 10.5 },
  }));
  const charts = ['EUR', 'CHF'].map((currency) => ({ currency, points }));
  const clientMessageId = 'b1f6d8f0-0000-4000-8000-2';
  const typesOf = () => {
    const blocks = (standin.control.messages(team, treasury).at(-1)?.blocks ?? []) as object[];
    return blocks.map((block) => (block as { type: string }).type);
  };

  it('draws them before its discreet lines', async () => {
    const blocks: MessageBlock[] = [
      { type: 'text', text: 'Total' },
      { type: 'context', text: 'Soldes donnés hier' },
    ];
    const message = { channelId: treasury, text: 'Total', blocks, charts, clientMessageId };
    expect(await slack.post(token, message)).not.toHaveProperty('refusedBlocks');
    expect(typesOf()).toEqual([
      ...['section', 'data_visualization', 'data_visualization', 'context'],
    ]);
  });

  it('leaves them out where the accounts take all the room', async () => {
    const { blocks, text } = manyAccounts(slack.capacity, 99);
    const many = Array.from({ length: 12 }, () => charts).flat();
    const message = { channelId: treasury, text, blocks, charts: many, clientMessageId };
    expect(await slack.post(token, message)).not.toHaveProperty('refusedBlocks');
    expect(typesOf()).toContain('table');
    expect(typesOf()).not.toContain('data_visualization');
  });

  const wrong = [{ currency: 'EUR', points: [] }];

  it('keeps its table where they are refused, as in a workspace that has none yet', async () => {
    const blocks: MessageBlock[] = [
      { type: 'text', text: 'Total' },
      accountsOf([['CIC', 'Courant', '1 €']]),
    ];
    const message = { channelId: treasury, text: 'Total', blocks, charts: wrong, clientMessageId };
    const result = await slack.post(token, message);
    expect(result).toMatchObject({ end: 'posted' });
    expect(result).not.toHaveProperty('refusedBlocks');
    expect(typesOf()).toEqual(['section', 'table']);
  });

  it('goes out as text alone where the rest is refused too, and says so', async () => {
    standin.control.addFault({ kind: 'error', code: 'invalid_blocks', times: 2 });
    const message = { channelId: treasury, text: 'Bonjour', charts, clientMessageId };
    expect(await slack.post(token, message)).toMatchObject({
      ...{ end: 'posted', refusedBlocks: 'invalid_blocks' },
    });
    expect(typesOf()).toEqual([]);
  });
});

describe('A message with blocks', () => {
  const blocks: MessageBlock[] = [
    { type: 'text', text: '*Soldes* & <!channel>' },
    accountsOf([['CIC', 'Courant', '1 €']]),
    { type: 'context', text: 'Soldes donnés hier' },
  ];
  const send = () =>
    slack.post(token, {
      channelId: treasury,
      text: 'Soldes & suite',
      blocks,
      clientMessageId: 'b1',
    });
  const stored = () => standin.control.messages(team, treasury);

  it('is taken with its text beside it', async () => {
    expect(await send()).toMatchObject({ end: 'posted' });
    expect(stored()).toMatchObject([
      {
        text: 'Soldes &amp; suite',
        blocks: [{ type: 'section' }, { type: 'table' }, { type: 'context' }],
      },
    ]);
  });

  test.each([
    'invalid_blocks',
    'invalid_blocks_format',
    'msg_blocks_too_long',
    'invalid_attachments',
  ])('refused with %s goes out as text alone, once', async (error) => {
    standin.control.addFault({ kind: 'error', code: error });
    expect(await send()).toMatchObject({ end: 'posted', refusedBlocks: error });
    expect(stored()).toMatchObject([{ text: 'Soldes &amp; suite', blocks: null }]);
  });

  it('whose text is refused too is our fault, and is not tried again', async () => {
    standin.control.addFault({ kind: 'error', code: 'invalid_blocks', times: 3 });
    expect(await send()).toEqual({ end: 'fault', code: 'invalid_blocks' });
    expect(stored()).toEqual([]);
    expect(await send()).toMatchObject({ end: 'posted' });
  });

  it('without an answer is not sent again here', async () => {
    standin.control.addFault({ kind: 'drop', posted: true });
    expect(await send()).toMatchObject({ end: 'ambiguous' });
    expect(stored()).toHaveLength(1);
  });
});

describe('A fault on the way', () => {
  const cases: { name: string; fault: Fault; result: PostResult; posted: number }[] = [
    {
      name: 'a connection dropped before the message was taken',
      fault: { kind: 'drop' },
      result: { end: 'ambiguous', code: 'network_reset' },
      posted: 0,
    },
    {
      name: 'a connection dropped after the message was posted',
      fault: { kind: 'drop', posted: true },
      result: { end: 'ambiguous', code: 'network_reset' },
      posted: 1,
    },
    {
      name: 'an answer with status 500',
      fault: { kind: 'status' },
      result: { end: 'ambiguous', code: 'http_500' },
      posted: 0,
    },
    {
      name: 'an answer with status 503',
      fault: { kind: 'status', status: 503 },
      result: { end: 'ambiguous', code: 'http_503' },
      posted: 0,
    },
    {
      name: 'an HTML page with status 200',
      fault: { kind: 'html' },
      result: { end: 'ambiguous', code: 'unreadable_answer' },
      posted: 0,
    },
    {
      name: 'an answer cut in the middle',
      fault: { kind: 'truncated', posted: true },
      result: { end: 'ambiguous', code: 'unreadable_answer' },
      posted: 1,
    },
    {
      name: 'a limit that says how long',
      fault: { kind: 'ratelimited', retryAfter: 30 },
      result: { end: 'transient', code: 'ratelimited', limitScope: 'team', retryAfterSeconds: 30 },
      posted: 0,
    },
    {
      name: 'a limit that does not say how long',
      fault: { kind: 'ratelimited', retryAfter: null },
      result: {
        end: 'transient',
        code: 'ratelimited',
        limitScope: 'team',
        retryAfterSeconds: null,
      },
      posted: 0,
    },
    {
      name: 'an internal error before posting',
      fault: { kind: 'error' },
      result: { end: 'ambiguous', code: 'internal_error' },
      posted: 0,
    },
    {
      name: 'an internal error after posting',
      fault: { kind: 'error', posted: true },
      result: { end: 'ambiguous', code: 'internal_error' },
      posted: 1,
    },
  ];

  it.each(cases)('$name', async ({ fault, result, posted }) => {
    standin.control.addFault({ method: 'chat.postMessage', ...fault });
    expect(await post()).toEqual(result);
    expect(standin.control.log()).toHaveLength(posted);
  });

  it('a server that is not there took nothing', async () => {
    const gone = await startSlackStandin({ clock: { now: () => new Date() } });
    await gone.close();
    const lost = createSlack({
      httpClient,
      configuration: {
        apiUrl: gone.apiUrl,
        authorizeUrl: '',
        scope: 'bot',
        clientId: '',
        clientSecret: '',
        signingSecrets: [],
      },
    });
    const message = { channelId: treasury, text: 'x', clientMessageId: 'x' };
    expect(await lost.post(token, message)).toEqual({
      end: 'transient',
      limitScope: null,
      code: 'network_refused',
      retryAfterSeconds: null,
    });
  });

  it('an answer that stalls ends after ten seconds, and may have posted', async () => {
    standin.control.addFault({ kind: 'stall', posted: true });
    expect(await post()).toEqual({ end: 'ambiguous', code: 'network_timeout' });
    expect(standin.control.log()).toHaveLength(1);
  }, 15_000);
});

describe('A refusal by the state of the workspace itself', () => {
  it.each([
    ['C0FARCHIV00', 'is_archived'],
    ['C0FDIRECT00', 'channel_not_found'],
    ['C0FANNONC00', 'restricted_action_read_only_channel'],
    ['C0NEXISTE00', 'channel_not_found'],
  ])('channel %s: %s', async (channelId, code) => {
    expect(await post('Bonjour', channelId)).toEqual({ end: 'permanent', kind: 'channel', code });
  });

  it('a token that never was, and one whose bot was removed', async () => {
    const message = { channelId: treasury, text: 'x', clientMessageId: 'x' };
    expect(await slack.post('xoxb-inconnu', message)).toMatchObject({
      kind: 'installation',
      code: 'invalid_auth',
    });
    const removed = standin.control.install('T0LENOIR');
    await standin.control.uninstall('T0LENOIR');
    expect(await slack.post(removed, message)).toMatchObject({
      kind: 'installation',
      code: 'account_inactive',
    });
  });
});
