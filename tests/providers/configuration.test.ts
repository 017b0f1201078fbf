import { describe, expect, test } from 'vitest';
import { credentials, faultsOf, read } from '../support/environment.ts';

const telegramToken = '1234567890:AAexample-example-example-example-00';

describe('someone without credentials', () => {
  test('starts the demonstration with npm start', () => {
    const { bankSources, chats } = read({}, 'start');
    expect(bankSources.filter(({ credentials }) => credentials)).toEqual([]);
    expect(chats.filter(({ credentials }) => credentials)).toEqual([]);
  });

  test('is refused by npm run serve', () => {
    expect(faultsOf({ BANK_SOURCES: 'bridge', CHATS: 'slack' })).toHaveLength(2);
  });

  test('needs none for the chats that people open themselves', () => {
    expect(faultsOf({ BANK_SOURCES: 'bridge' })).toEqual([
      expect.stringMatching(/^BRIDGE_CLIENT_ID/),
    ]);
    const { BRIDGE_CLIENT_ID, BRIDGE_CLIENT_SECRET } = credentials;
    const { chats } = read({ BRIDGE_CLIENT_ID, BRIDGE_CLIENT_SECRET });
    expect(chats.map(({ kind }) => kind)).not.toContain('slack');
    expect(chats.map(({ kind }) => kind)).toContain('mattermost');
  });

  test('needs none for the banks that people open themselves', () => {
    expect(faultsOf({ CHATS: 'slack' })).toEqual([expect.stringMatching(/^SLACK_CLIENT_ID/)]);
    const { SLACK_CLIENT_ID, SLACK_CLIENT_SECRET } = credentials;
    const { bankSources } = read({ SLACK_CLIENT_ID, SLACK_CLIENT_SECRET });
    expect(bankSources.map(({ kind }) => kind)).not.toContain('bridge');
    expect(bankSources.map(({ kind }) => kind)).toContain('qonto');
  });

  test('with only one of the two, must ask for the mixture', () => {
    const { SLACK_CLIENT_ID, SLACK_CLIENT_SECRET } = credentials;
    const half = { SLACK_CLIENT_ID, SLACK_CLIENT_SECRET };
    expect(faultsOf(half, 'start')).toEqual([expect.stringContaining('DEMO=1')]);
    const { bankSources, chats } = read({ ...half, DEMO: '1' }, 'start');
    expect(bankSources.filter(({ credentials }) => credentials)).toEqual([]);
    expect(chats).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ kind: 'slack' })]),
    );
  });
});

describe('the bank sources that are offered', () => {
  const kinds = (BANK_SOURCES: string) =>
    read({ ...credentials, BANK_SOURCES }).bankSources.map(({ kind }) => kind);

  test('are those that are named, in their usual order', () => {
    expect(kinds('bridge')).toEqual(['bridge']);
    expect(kinds('qonto, bridge')).toEqual(['bridge', 'qonto']);
  });

  test('are not those that nobody knows', () => {
    expect(faultsOf({ ...credentials, BANK_SOURCES: 'bridge,coffre' })).toEqual([
      expect.stringMatching(/^BANK_SOURCES nomme coffre.*qonto/),
    ]);
  });
});

describe('the chats that are offered', () => {
  test('are those that are named, in their usual order', () => {
    const kinds = (CHATS: string) => read({ ...credentials, CHATS }).chats.map(({ kind }) => kind);
    expect(kinds('slack')).toEqual(['slack']);
    expect(kinds('mattermost, slack')).toEqual(['slack', 'mattermost']);
  });

  test('are all there that are named', () => {
    const { SLACK_CLIENT_ID, SLACK_CLIENT_SECRET } = credentials;
    const slack = { SLACK_CLIENT_ID, SLACK_CLIENT_SECRET };
    expect(faultsOf({ ...slack, CHATS: 'slack,email', BANK_SOURCES: 'bridge,files' })).toEqual([
      expect.stringMatching(/^BRIDGE_CLIENT_ID et BRIDGE_CLIENT_SECRET manquent : /),
      expect.stringMatching(/^SMTP_URL et MAIL_FROM manquent : /),
    ]);
    const mail = { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'tirelire@exemple.fr' };
    expect(faultsOf({ ...mail, CHATS: 'email', BANK_SOURCES: 'files' })).toEqual([]);
  });

  test('are not those that nobody knows', () => {
    expect(faultsOf({ ...credentials, CHATS: 'slack,fax' })).toEqual([
      expect.stringMatching(/^CHATS nomme fax.*mattermost/),
    ]);
  });
});

test('half of the credentials of a chat that works without them is a warning', () => {
  const { chats } = read({ ...credentials, DISCORD_CLIENT_ID: '1' });
  const discord = chats.find(({ kind }) => kind === 'discord');
  expect(discord?.warnings).toMatchObject([{ variable: 'DISCORD_CLIENT_SECRET' }]);
  expect(discord?.credentials).toBeNull();
});

describe('the address of a service', () => {
  test.each([
    ['BRIDGE_API_URL', 'bridge', 'https://api.bridgeapi.io'],
    ['QONTO_API_URL', 'qonto', 'https://thirdparty.qonto.com'],
    ['PONTO_API_URL', 'ponto', 'https://api.myponto.com'],
    ['ENABLE_BANKING_API_URL', 'enablebanking', 'https://api.enablebanking.com'],
    ['TELEGRAM_API_URL', 'telegram', 'https://api.telegram.org'],
    ['DISCORD_API_URL', 'discord', 'https://discord.com/api/v10'],
    ['GOOGLE_CHAT_API_URL', 'googlechat', 'https://chat.googleapis.com/v1'],
  ])('is its own unless %s names a stand-in', (variable, kind, realUrl) => {
    const settings = { ...credentials, TELEGRAM_BOT_TOKEN: telegramToken };
    const providerOf = (environment: Record<string, string>) => {
      const { bankSources, chats } = read({ ...settings, ...environment });
      return [...bankSources, ...chats].find((one) => one.kind === kind);
    };
    expect(providerOf({})).toMatchObject({ apiUrl: realUrl, isReal: true });
    const standin = providerOf({ [variable]: 'http://127.0.0.1:4001/base/' });
    expect(standin).toMatchObject({ apiUrl: 'http://127.0.0.1:4001/base', isReal: false });
  });
});

test('Telegram is offered with the token of a bot, and asked for where it alone is offered', () => {
  const kindsOf = (environment: Record<string, string>) =>
    read({ ...credentials, ...environment }).chats.map(({ kind }) => kind);
  expect(kindsOf({})).not.toContain('telegram');
  expect(kindsOf({ TELEGRAM_BOT_TOKEN: telegramToken })).toContain('telegram');
  expect(faultsOf({ ...credentials, CHATS: 'telegram' })).toEqual([
    expect.stringMatching(/^TELEGRAM_BOT_TOKEN manque : /),
  ]);
});

test('Discord has its page with an application, and takes pasted addresses without', () => {
  const discordOf = (environment: Record<string, string>) =>
    read({ ...credentials, ...environment }).chats.find(({ kind }) => kind === 'discord');
  expect(discordOf({})).toMatchObject({ credentials: null, settings: { application: null } });
  const given = { DISCORD_CLIENT_ID: '1', DISCORD_CLIENT_SECRET: 'secret' };
  expect(discordOf(given)?.settings).toMatchObject({
    application: { clientId: '1', clientSecret: 'secret' },
  });
});

test('Teams and Mattermost take hosts, and Mattermost private ranges too', () => {
  const hosts = 'chat.exemple.lan, 10.1.2.0/24, 10.9.9.9,fd00:1::/32,169.254.169.254/32';
  const { chats } = read({
    ...{ ...credentials, TEAMS_HOSTS: '.flux.exemple.fr, flux.exemple.org' },
    MATTERMOST_HOSTS: hosts,
  });
  const settingsOf = (kind: string) => chats.find((chat) => chat.kind === kind)?.settings;
  expect(settingsOf('teams')).toEqual({ hosts: ['.flux.exemple.fr', 'flux.exemple.org'] });
  for (const kind of ['mattermost', 'mattermostbot']) {
    expect(settingsOf(kind)).toEqual({
      privateHosts: ['chat.exemple.lan', '10.9.9.9'],
      privateRanges: ['10.1.2.0/24', 'fd00:1::/32', '169.254.169.254/32'],
    });
  }
});

test('a classic Slack app gets the classic address', () => {
  expect(read({ ...credentials, SLACK_SCOPE: 'bot' }).chats[0]?.settings).toMatchObject({
    scope: 'bot',
    authorizeUrl: 'https://slack.com/oauth/authorize',
  });
});

test('webhook and signing secrets may be several', () => {
  const configuration = read({
    ...credentials,
    BRIDGE_WEBHOOK_SECRET: 'new,old',
    SLACK_SIGNING_SECRET: 'one',
  });
  expect(configuration.bankSources[0]?.settings).toMatchObject({ webhookSecrets: ['new', 'old'] });
  expect(configuration.chats[0]?.settings).toMatchObject({ signingSecrets: ['one'] });
});
