import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ConfigurationFaults } from '../../src/server/platform/configuration/configuration.ts';
import { allVariables, readConfiguration } from '../../src/server/providers/configuration.ts';
import type { Purpose } from '../../src/server/providers/credentials.ts';

const credentials = {
  BRIDGE_CLIENT_ID: 'bridge-id',
  BRIDGE_CLIENT_SECRET: 'bridge-secret',
  SLACK_CLIENT_ID: 'slack-id',
  SLACK_CLIENT_SECRET: 'slack-secret',
};

function read(environment: Record<string, string>, purpose: Purpose = 'serve') {
  return readConfiguration(environment, purpose, '/srv/tirelire');
}

function faultsOf(environment: Record<string, string>, purpose: Purpose = 'serve') {
  try {
    read(environment, purpose);
  } catch (error) {
    if (error instanceof ConfigurationFaults) return error.faults;
    throw error;
  }
  return [];
}

describe('an operator who sets nothing but the credentials', () => {
  test('gets the defaults', () => {
    expect(read(credentials)).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      apiUrl: '/api',
      trustProxy: 0,
      role: 'all',
      dataDir: '/srv/tirelire/data',
      database: { engine: 'embedded', folder: '/srv/tirelire/data/database' },
      appSecrets: [],
      bankSources: [
        { kind: 'bridge', settings: { apiUrl: 'https://api.bridgeapi.io', webhookSecrets: [] } },
        { kind: 'qonto', apiUrl: 'https://thirdparty.qonto.com', isReal: true, credentials: null },
        { kind: 'ponto', apiUrl: 'https://api.myponto.com', isReal: true, credentials: null },
        {
          ...{ kind: 'enablebanking', apiUrl: 'https://api.enablebanking.com' },
          ...{ isReal: true, credentials: null },
        },
        { kind: 'files', apiUrl: null, isReal: true, credentials: null },
        { kind: 'manual', apiUrl: null, isReal: true, credentials: null },
      ],
      chats: [
        {
          kind: 'slack',
          settings: {
            apiUrl: 'https://slack.com/api/',
            authorizeUrl: 'https://slack.com/oauth/v2/authorize',
            scope: 'chat:write,chat:write.public,channels:read,groups:read',
          },
        },
        { kind: 'teams', settings: { hosts: [] } },
        {
          ...{ kind: 'mattermost', credentials: null },
          settings: { privateHosts: [], privateRanges: [] },
        },
        { kind: 'mattermostbot', settings: { privateHosts: [], privateRanges: [] } },
        { kind: 'discord', settings: { apiUrl: 'https://discord.com/api/v10', application: null } },
        { kind: 'googlechat', settings: { apiUrl: 'https://chat.googleapis.com/v1' } },
      ],
      ...{ statementsDir: null, demoUrl: null, mail: null, logLevel: 'info' },
      ...{ operatorEmails: [], operatorName: null, metricsToken: null, heartbeatUrl: null },
    });
  });

  test('gets a public address that follows the port', () => {
    expect(read({ ...credentials, PORT: '4321' }).publicUrl).toBe('http://localhost:4321');
  });

  test('may name a watcher that is told in the query of its address', () => {
    const address = 'https://kuma.exemple.fr/api/push/cle?status=up&msg=OK&ping=';
    expect(read({ ...credentials, HEARTBEAT_URL: address }).heartbeatUrl).toBe(address);
  });

  test('is not disturbed by variables that are set but empty', () => {
    expect(read({ ...credentials, PORT: '', DATABASE_URL: ' ' }).port).toBe(3000);
  });
});

describe('an operator who makes mistakes', () => {
  test('reads all of them at once, each naming its variable', () => {
    const wrong = { PORT: '70000', ROLE: 'worker', LOG_LEVEL: 'loud', SMTP_URL: 'x' };
    const faults = faultsOf({ ...wrong, BANK_SOURCES: 'bridge', CHATS: 'slack' });
    for (const name of ['PORT', 'LOG_LEVEL', 'SMTP_URL', 'MAIL_FROM', 'DATABASE_URL']) {
      expect(faults.some((fault) => fault.includes(name))).toBe(true);
    }
    expect(faults.some((fault) => fault.includes('BRIDGE_CLIENT_ID'))).toBe(true);
    expect(faults.some((fault) => fault.includes('SLACK_CLIENT_ID'))).toBe(true);
  });

  test.each([
    ['PORT', '0'],
    ['PORT', 'http'],
    ['HOST', 'a b'],
    ['PUBLIC_URL', 'tirelire.example.org'],
    ['PUBLIC_URL', 'https://tirelire.example.org/path'],
    ['PUBLIC_URL', 'https://user@tirelire.example.org'],
    ['API_URL', 'api'],
    ['API_URL', '//'],
    ['API_URL', '//api.exemple.fr'],
    ['TRUST_PROXY', 'maybe'],
    ['DATABASE_URL', 'mysql://localhost/tirelire'],
    ['DATABASE_URL', 'postgres://ana:100%de@localhost/tirelire'],
    ['ROLE', 'boss'],
    ['BANK_SOURCES', 'bridge qonto'],
    ['QONTO_API_URL', 'thirdparty.qonto.com'],
    ['APP_SECRET', 'short'],
    ['APP_SECRET', 'a-secret-that-is-long-enough,short'],
    ['APP_SECRET', `a-secret-that-is-long-enough,${' '.repeat(16)}short`],
    ['BRIDGE_API_URL', 'ftp://bridge'],
    ['SLACK_API_URL', 'slack.com/api'],
    ['SLACK_AUTHORIZE_URL', 'slack.com'],
    ['SLACK_SCOPE', 'chat write'],
    ['CHATS', 'slack mattermost'],
    ['TEAMS_HOSTS', 'https://exemple.fr'],
    ['TELEGRAM_BOT_TOKEN', 'TirelireExempleBot'],
    ['MATTERMOST_HOSTS', 'https://chat.exemple.fr'],
    ['MATTERMOST_HOSTS', 'chat.exemple.lan,10.1.2.0/33'],
    ['MATTERMOST_HOSTS', '8.8.8.0/24'],
    ['MATTERMOST_HOSTS', 'fd00::1'],
    ['MATTERMOST_HOSTS', ','],
    ['DEMO', 'yes please'],
    ['SMTP_URL', 'http://smtp'],
    ['MAIL_FROM', 'nobody'],
    ['OPERATOR_EMAILS', 'ops@example.org,nobody'],
    ['METRICS_TOKEN', 'short'],
    ['HEARTBEAT_URL', 'ping'],
    ['LIMIT_LONGEST_DELAY', '3601'],
    ['LOG_LEVEL', 'verbose'],
  ])('is told that %s cannot be "%s"', (name, value) => {
    const faults = faultsOf({ ...credentials, [name]: value });
    expect(faults.filter((fault) => fault.startsWith(`${name} `))).toHaveLength(1);
  });

  test('is told which half of a pair is missing', () => {
    expect(faultsOf({ ...credentials, SLACK_CLIENT_SECRET: '' })).toEqual([
      'SLACK_CLIENT_SECRET manque : SLACK_CLIENT_ID seul ne suffit pas.',
    ]);
  });
});

test('an operator gets what is set', () => {
  const given = {
    ...{ HOST: '0.0.0.0', PUBLIC_URL: 'https://tirelire.exemple.fr/', TRUST_PROXY: '2' },
    ...{ API_URL: 'https://api.exemple.fr/', STATEMENTS_DIR: 'releves', DATA_DIR: '/var/tirelire' },
    ...{ SMTP_URL: 'smtps://a:b@mail.exemple.fr', MAIL_FROM: 'Tirelire <a@exemple.fr>' },
    ...{ OPERATOR_EMAILS: 'a@exemple.fr, b@exemple.fr', OPERATOR_NAME: 'Exemple SARL' },
    ...{ METRICS_TOKEN: 'sixteen-characters', LOG_LEVEL: 'warn', ROLE: 'all' },
  };
  expect(read({ ...credentials, ...given })).toMatchObject({
    ...{ host: '0.0.0.0', publicUrl: 'https://tirelire.exemple.fr', trustProxy: 2 },
    ...{ apiUrl: 'https://api.exemple.fr', statementsDir: '/srv/tirelire/releves' },
    dataDir: '/var/tirelire',
    mail: { smtpUrl: 'smtps://a:b@mail.exemple.fr', from: 'Tirelire <a@exemple.fr>' },
    ...{ operatorEmails: ['a@exemple.fr', 'b@exemple.fr'], operatorName: 'Exemple SARL' },
    ...{ metricsToken: 'sixteen-characters', logLevel: 'warn', role: 'all' },
  });
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

const telegramToken = '1234567890:AAexample-example-example-example-00';

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

test('half of the credentials of a chat that works without them is a warning', () => {
  const { chats } = read({ ...credentials, DISCORD_CLIENT_ID: '1' });
  const discord = chats.find(({ kind }) => kind === 'discord');
  expect(discord?.warnings).toMatchObject([{ variable: 'DISCORD_CLIENT_SECRET' }]);
  expect(discord?.credentials).toBeNull();
});

describe('an operator with PostgreSQL', () => {
  const postgres = { ...credentials, DATABASE_URL: 'postgres://localhost/tirelire' };

  test('must bring the secret that all machines share', () => {
    expect(faultsOf(postgres)).toEqual([expect.stringMatching(/^APP_SECRET manque/)]);
  });

  test('may split web and worker, and rotate the secret', () => {
    const secrets = 'the-newest-of-the-secrets, the-one-before-that-one';
    const configuration = read({ ...postgres, ROLE: 'worker', APP_SECRET: secrets });
    expect(configuration.role).toBe('worker');
    expect(configuration.appSecrets).toEqual(secrets.split(', '));
    expect(configuration.database).toEqual({ engine: 'postgres', url: postgres.DATABASE_URL });
  });

  test.each(['web', 'worker'])('cannot run ROLE=%s on the embedded database', (role) => {
    expect(faultsOf({ ...credentials, ROLE: role })).toEqual([
      expect.stringMatching(/^DATABASE_URL manque/),
    ]);
  });
});

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

describe('.env.example', () => {
  const text = readFileSync('.env.example', 'utf8').replaceAll(/^#(?=[A-Z_]+=)/gm, '');
  const values = parseEnv(text) as Record<string, string>;

  test('names every variable, and no other', () => {
    expect(Object.keys(values).sort()).toEqual(Object.keys(allVariables).sort());
  });

  test('holds values that are accepted as they stand', () => {
    expect(faultsOf(values)).toEqual([]);
  });
});
