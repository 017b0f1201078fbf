import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { allVariables } from '../../src/server/providers/configuration.ts';
import { credentials, faultsOf, read } from '../support/environment.ts';

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

test.each([
  ['true', 1],
  ['false', 0],
  ['off', 0],
  ['9', 9],
])('TRUST_PROXY=%s is %d proxies', (value, proxies) => {
  expect(read({ ...credentials, TRUST_PROXY: value }).trustProxy).toBe(proxies);
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
