import { afterAll, beforeAll, expect, test } from 'vitest';
import { examine } from '../../../src/server/operations/doctor/examination.ts';
import { type Finding, well } from '../../../src/server/operations/doctor/finding.ts';
import type { BridgeConfiguration } from '../../../src/server/providers/banks/bridge/calls.ts';
import { configuredBridge } from '../../../src/server/providers/banks/bridge/definition.ts';
import type { SlackConfiguration } from '../../../src/server/providers/chats/slack/configuration.ts';
import { configuredSlack } from '../../../src/server/providers/chats/slack/definition.ts';
import { addPerson } from '../../notifications/deliveries/people.ts';
import { credentials, read } from '../../support/environment.ts';
import { type Examined, examinedOf, listen, openExamined, urlOf } from './examined.ts';

let examined: Examined;
beforeAll(async () => {
  examined = await openExamined();
});
afterAll(() => examined.close());

test('finds an installation in order, and says what would be missed one day', async () => {
  const found = await examined.findings();
  expect(found.filter(({ level }) => level === 'fault')).toEqual([]);
  const about = found.map((finding) => finding.about);
  expect(about).toEqual(expect.arrayContaining(['Base de données', 'Horloge', 'Clé', 'Bridge']));
  expect(about).toEqual(expect.arrayContaining(['SMTP_URL', 'OPERATOR_EMAILS', 'HTTPS']));
  // Of a data folder that PostgreSQL leaves unused.
  expect(about).not.toContain('Disque');
  for (const { level, remedy } of found) expect(Boolean(remedy)).toBe(level !== 'well');
});

test('notices credentials that are refused, and services that are not reached', async () => {
  const [bridge, slack] = [
    ...examined.configuration.bankSources,
    ...examined.configuration.chats,
  ].map(({ settings }) => settings) as [BridgeConfiguration, SlackConfiguration];
  const wrong = await examined.findings({
    bankSources: [configuredBridge({ ...bridge, clientSecret: 'wrong' })],
    chats: [configuredSlack({ ...slack, clientSecret: 'wrong' })],
  });
  const said = wrong.filter(({ level }) => level === 'fault').map(({ words }) => words);
  expect(said).toEqual([
    expect.stringMatching(/refuse nos identifiants \(Bridge answered 401/),
    expect.stringMatching(/refuse nos identifiants \(bad_client_secret\)/),
  ]);
  const away = await examined.findings({
    bankSources: [configuredBridge({ ...bridge, apiUrl: 'http://127.0.0.1:1' })],
    chats: [configuredSlack({ ...slack, apiUrl: 'http://127.0.0.1:1/api/' })],
  });
  expect(away.filter(({ words }) => words.startsWith('Ne répond pas'))).toHaveLength(2);
  examined.app.bank.control.addFault({ match: '/v3/', kind: 'status', status: 429 });
  examined.app.chat.control.addFault({ kind: 'ratelimited', times: null });
  const busy = await examined.findings();
  examined.app.bank.control.clearFaults();
  examined.app.chat.control.clearFaults();
  expect(busy.filter(({ words }) => words.startsWith('Ne répond pas'))).toHaveLength(2);
});

test('says how to offer the balance command, and which links are of before', async () => {
  const [slack] = examined.configuration.chats.map(({ settings }) => settings) as [
    SlackConfiguration,
  ];
  const wordsOf = async (scope: string) => {
    const found = await examined.findings({ chats: [configuredSlack({ ...slack, scope })] });
    return found.filter(({ about }) => about === 'Slack').map(({ words }) => words);
  };
  expect(await wordsOf('chat:write')).toEqual([expect.stringContaining("/solde n'est pas")]);
  await addPerson(examined.fixture);
  const words = await wordsOf('chat:write,commands');
  expect(words).toContain('Répond, et accepte nos identifiants.');
  expect(words).toContainEqual(expect.stringMatching(/^Dans 1 espace relié avant/));
});

test('notices users whom a bank service does not know, and credentials of another application', async () => {
  const { sql } = examined.fixture.services.database;
  const people = [await addPerson(examined.fixture), await addPerson(examined.fixture)];
  for (const { userId } of people) await addBridgeUser(userId, { unknown_since: new Date() });
  const said = async () =>
    (await examined.findings())
      .filter(({ about, level }) => about === 'Bridge' && level !== 'well')
      .map(({ level, words }) => `${level} ${words}`);
  const [missing] = await said();
  expect(missing).toMatch(/^fault Ne connaît aucun .*\(2\) : .*une autre application/);
  await addBridgeUser((await addPerson(examined.fixture)).userId, { refreshed_at: new Date(0) });
  expect(await said()).toEqual([missing]);
  await addBridgeUser((await addPerson(examined.fixture)).userId, { refreshed_at: new Date() });
  expect(await said()).toEqual([expect.stringMatching(/^warning Ne connaît plus 2 utilisateurs/)]);
  await sql.updateTable('bank_refreshes').set({ unknown_since: null }).execute();
  expect(await said()).toEqual([]);
});

test('names a limit that is none of ours', async () => {
  const variable = 'LIMIT_SIGNUPS';
  const { warnings } = read({ ...credentials, [variable]: '3', LIMIT_SIGN_UPS: '3', LIMIT_X: '' });
  expect(warnings).toMatchObject([{ variable, remedy: expect.stringContaining('LIMIT_SIGN_UPS') }]);
  expect(await examined.levelOf(variable, { warnings })).toEqual(['warning']);
});

test('names a mail server that links are sent to in clear', async () => {
  const level = (smtpUrl: string) =>
    examined.levelOf('SMTP_URL', { mail: { smtpUrl, from: 'tirelire@exemple.fr' } });
  expect(await level('smtp://mail.exemple.fr?insecure=1')).toEqual(['warning']);
  for (const address of ['smtp://mail.exemple.fr', 'smtps://mail.exemple.fr', 'smtp://localhost']) {
    expect(await level(address)).toEqual([]);
  }
});

test('notices a proxy that leads elsewhere, to a worker, or hides the host', async () => {
  const other = await listen((path) => (path === '/healthz' ? 200 : 404), '{}');
  const hiding = await listen((path) => (path === '/healthz' ? 200 : 307), '{"status":"ok"}');
  const pageless = await listen((path) => (path === '/healthz' ? 200 : 503), '{"status":"ok"}');
  const about = 'Adresse publique';
  expect(await examined.levelOf(about, { publicUrl: urlOf(other) })).toEqual(['fault']);
  expect(await examined.levelOf(about, { publicUrl: urlOf(hiding) })).toEqual(['fault']);
  expect(await examined.levelOf(about, { publicUrl: urlOf(pageless) })).toEqual(['fault']);
  expect(await examined.levelOf(about, { publicUrl: 'http://127.0.0.1:1' })).toEqual(['warning']);
  expect(await examined.levelOf('HTTPS', { publicUrl: 'http://tirelire.invalid' })).toEqual([
    'fault',
  ]);
  for (const server of [other, hiding, pageless]) server.close().closeAllConnections();
});

test('reads findings that come in parts', async () => {
  const lines = [well('Base de données', 'Répond : été.'), well('Clé', 'Lisible.')];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const { httpClient, ...deps } = examinedOf(examined.configuration);
  const found: Finding[] = [];
  async function* inspect() {
    yield text.slice(0, 40);
    yield text.slice(40, text.indexOf('\n') + 20);
    yield text.slice(text.indexOf('\n') + 20);
  }
  for await (const one of examine({ httpClient, ...deps, inspect })) found.push(one);
  await httpClient.close();
  expect(found).toEqual(expect.arrayContaining(lines));
  expect(found.filter(({ about }) => about === 'Base de données')).toHaveLength(1);
});

async function addBridgeUser(
  user_id: string,
  read: { unknown_since: Date } | { refreshed_at: Date },
) {
  await examined.fixture.services.database.sql
    .insertInto('bank_refreshes')
    .values({ user_id, source: 'bridge', ...read })
    .execute();
}
