import { randomUUID } from 'node:crypto';
import { access, chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProviders } from '../../src/server/app/services.ts';
import { assignFolder } from '../../src/server/banking/statements/folders/queries.ts';
import { markFinished, markUnfinished } from '../../src/server/operations/backup/unfinished.ts';
import { runTask } from '../../src/server/operations/commands/task-client.ts';
import { examine } from '../../src/server/operations/doctor/examination.ts';
import { type Finding, well } from '../../src/server/operations/doctor/finding.ts';
import { systemClock } from '../../src/server/platform/clock.ts';
import { migrate } from '../../src/server/platform/database/migrate.ts';
import { openDatabase } from '../../src/server/platform/database/open.ts';
import { createGuard } from '../../src/server/platform/http-client/guarded-client.ts';
import { createHttpClient } from '../../src/server/platform/http-client/http-client.ts';
import { createLog } from '../../src/server/platform/log.ts';
import { createMetrics } from '../../src/server/platform/metrics/metrics.ts';
import type { BridgeConfiguration } from '../../src/server/providers/banks/bridge/calls.ts';
import { configuredBridge } from '../../src/server/providers/banks/bridge/definition.ts';
import type { SlackConfiguration } from '../../src/server/providers/chats/slack/configuration.ts';
import { configuredSlack } from '../../src/server/providers/chats/slack/definition.ts';
import type { AppConfiguration } from '../../src/server/providers/configuration.ts';
import { type Fixture, openFixture } from '../notifications/deliveries/fixture.ts';
import { addMessenger, addPerson, makeDue } from '../notifications/deliveries/people.ts';
import { type Application, startApplication } from '../support/application.ts';
import { type Databases, startDatabases } from '../support/engines.ts';

let app: Application;
let databases: Databases;
let fixture: Fixture;
let folder: string;
let configuration: AppConfiguration;
/** Answers as the proxy of an installation in order does: the application of the tests has no pages. */
let proxy: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tirelire-doctor-'));
  databases = await startDatabases('postgres');
  const database = await databases.open();
  fixture = await openFixture(database);
  app = await startApplication();
  proxy = await listen(() => 200, '{"status":"ok"}');
  const url = database.engine === 'postgres' ? (database.pool.options.connectionString ?? '') : '';
  configuration = {
    ...app.services.configuration,
    publicUrl: urlOf(proxy),
    dataDir: folder,
    database: { engine: 'postgres', url },
    appSecrets: fixture.services.configuration.appSecrets,
  };
});
afterAll(async () => {
  proxy.close().closeAllConnections();
  await Promise.all([app.close(), fixture.close()]);
  await databases.close();
  await rm(folder, { recursive: true, force: true });
});

async function findings(differences: Partial<AppConfiguration> = {}): Promise<Finding[]> {
  const found: Finding[] = [];
  const { httpClient, ...examined } = examinedOf({ ...configuration, ...differences });
  for await (const finding of examine({ httpClient, ...examined })) found.push(finding);
  await httpClient.close();
  return found;
}

/** As the command puts it together. */
function examinedOf(of: AppConfiguration) {
  const log = createLog('silent');
  const httpClient = createHttpClient({ log });
  const metrics = createMetrics(() => Promise.reject());
  const deps = {
    httpClient,
    openGuardedClient: createGuard({ log }).open,
    metrics,
    log,
    clock: systemClock,
    callLimiterOf: () => async () => 0,
    keyedLimiterOf: () => async () => 0,
  };
  return {
    ...{ configuration: of, httpClient, clock: systemClock, ...openProviders(of, deps) },
    inspect: () => runTask(of, 'inspect'),
  };
}

async function levelOf(about: string, differences: Partial<AppConfiguration>): Promise<string[]> {
  const found = await findings(differences);
  return found.filter((finding) => finding.about === about).map(({ level }) => level);
}

describe('the doctor', () => {
  it('finds an installation in order, and says what would be missed one day', async () => {
    const found = await findings();
    expect(found.filter(({ level }) => level === 'fault')).toEqual([]);
    const about = found.map((finding) => finding.about);
    expect(about).toEqual(expect.arrayContaining(['Base de données', 'Horloge', 'Clé', 'Bridge']));
    expect(about).toEqual(expect.arrayContaining(['SMTP_URL', 'OPERATOR_EMAILS', 'HTTPS']));
    // Of a data folder that PostgreSQL leaves unused.
    expect(about).not.toContain('Disque');
    for (const { level, remedy } of found) expect(Boolean(remedy)).toBe(level !== 'well');
  });

  it('notices credentials that are refused, and services that are not reached', async () => {
    const [bridge, slack] = [...configuration.bankSources, ...configuration.chats].map(
      ({ settings }) => settings,
    ) as [BridgeConfiguration, SlackConfiguration];
    const wrong = await findings({
      bankSources: [configuredBridge({ ...bridge, clientSecret: 'wrong' })],
      chats: [configuredSlack({ ...slack, clientSecret: 'wrong' })],
    });
    const said = wrong.filter(({ level }) => level === 'fault').map(({ words }) => words);
    expect(said).toEqual([
      expect.stringMatching(/refuse nos identifiants \(Bridge answered 401/),
      expect.stringMatching(/refuse nos identifiants \(bad_client_secret\)/),
    ]);
    const away = await findings({
      bankSources: [configuredBridge({ ...bridge, apiUrl: 'http://127.0.0.1:1' })],
      chats: [configuredSlack({ ...slack, apiUrl: 'http://127.0.0.1:1/api/' })],
    });
    expect(away.filter(({ words }) => words.startsWith('Ne répond pas'))).toHaveLength(2);
    app.bank.control.addFault({ match: '/v3/', kind: 'status', status: 429 });
    app.chat.control.addFault({ kind: 'ratelimited', times: null });
    const busy = await findings();
    app.bank.control.clearFaults();
    app.chat.control.clearFaults();
    expect(busy.filter(({ words }) => words.startsWith('Ne répond pas'))).toHaveLength(2);
  });

  it('says how to offer the balance command, and which links are of before', async () => {
    const [slack] = configuration.chats.map(({ settings }) => settings) as [SlackConfiguration];
    const wordsOf = async (scope: string) => {
      const found = await findings({ chats: [configuredSlack({ ...slack, scope })] });
      return found.filter(({ about }) => about === 'Slack').map(({ words }) => words);
    };
    expect(await wordsOf('chat:write')).toEqual([expect.stringContaining("/solde n'est pas")]);
    await addPerson(fixture);
    const words = await wordsOf('chat:write,commands');
    expect(words).toContain('Répond, et accepte nos identifiants.');
    expect(words).toContainEqual(expect.stringMatching(/^Dans 1 espace relié avant/));
  });

  it('notices a database that does not answer, and one that holds nothing yet', async () => {
    const url = 'postgres://tirelire@127.0.0.1:1/none';
    expect(await levelOf('Base de données', { database: { engine: 'postgres', url } })).toEqual([
      'fault',
    ]);
    const empty = await databases.server?.createDatabase();
    const database = { engine: 'postgres', url: empty ?? '' } as const;
    expect(await levelOf('Base de données', { database })).toEqual(['well', 'warning']);
  });

  it('notices a database of a later version, which this one leaves as it is', async () => {
    const url = (await databases.server?.createPreparedDatabase()) ?? '';
    const database = { engine: 'postgres', url } as const;
    const opened = await openDatabase({ database }, () => {});
    await sql`insert into kysely_migration values ('9999-later', '2026-01-12')`.execute(opened.sql);
    await expect(migrate(opened)).rejects.toThrow(/^La base .* version plus récente/);
    await opened.close();
    expect(await levelOf('Base de données', { database })).toEqual(['well', 'fault']);
  });

  it('notices a restore that was not finished', async () => {
    const url = (await databases.server?.createPreparedDatabase()) ?? '';
    const database = { engine: 'postgres', url } as const;
    const opened = await openDatabase({ database }, () => {});
    await markUnfinished(opened.sql);
    expect(await levelOf('Base de données', { database })).toEqual(['well', 'fault']);
    await markFinished(opened.sql);
    expect(await levelOf('Base de données', { database })).toEqual(['well']);
    await opened.close();
  });

  it('notices a key that opens nothing, one that is being replaced, and messages nobody sends', async () => {
    const [secret = ''] = configuration.appSecrets;
    const overdue = await addMessenger(fixture, await addPerson(fixture));
    await makeDue(fixture, overdue, new Date(Date.now() - 61_000));
    expect(await levelOf('Clé', {})).toEqual(['well']);
    expect(await levelOf('Clé', { appSecrets: ['quite another secret'] })).toEqual(['fault']);
    expect(await levelOf('Clé', { appSecrets: ['a newer secret', secret] })).toEqual(['warning']);
    expect(await levelOf('Envois', {})).toEqual(['fault']);
  });

  it('notices an erasure that a service has refused for a day', async () => {
    const deletion = { receipt_hash: 'r', user_id: null, provider_users: null, recipient: null };
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    await fixture.services.database.sql
      .insertInto('deletions')
      .values({ id: randomUUID(), ...deletion, requested_at: hoursAgo(23), tried_at: hoursAgo(0) })
      .execute();
    expect(await levelOf('Suppressions', {})).toEqual(['well']);
    await fixture.services.database.sql
      .updateTable('deletions')
      .set({ requested_at: hoursAgo(25) })
      .execute();
    expect(await levelOf('Suppressions', {})).toEqual(['warning']);
  });

  it('notices mails that were refused in the last days', async () => {
    const { userId } = await addPerson(fixture);
    const refused = async (daysAgo: number) => {
      await fixture.services.database.sql
        .insertInto('mails')
        .values({
          ...{ user_id: userId, id: randomUUID(), cause: `${daysAgo} days`, day: '2026-01-12' },
          ...{ recipient: 'ana@exemple.fr', subject: 'En pause', body: '…', failure: '450 busy' },
          created_at: new Date(Date.now() - daysAgo * 86_400_000),
        })
        .execute();
      return await levelOf('Emails', {});
    };
    expect(await refused(8)).toEqual(['well']);
    expect(await refused(6)).toEqual(['warning']);
  });

  it('says which folders of statements are not read, not assigned, or had a file refused', async () => {
    const about = 'STATEMENTS_DIR';
    const root = join(folder, 'releves');
    const said = async (statementsDir: string | null = root) =>
      (await findings({ statementsDir }))
        .filter((finding) => finding.about === about)
        .map(({ level, words }) => `${level} ${words}`);
    expect(await said(null)).toEqual([]);
    expect(await said()).toEqual([expect.stringMatching(/^fault .*manque, ou ne peut pas/)]);
    await mkdir(join(root, 'acme-lcl'), { recursive: true });
    expect(await said()).toEqual([
      expect.stringMatching(/^warning 1 .*aucun compte.*« acme-lcl »/),
    ]);
    const { userId } = await addPerson(fixture);
    const given = { bank_name: 'LCL', account_name: 'Compte courant', iban_print: null };
    await assignFolder(fixture.services, userId, { name: 'acme-lcl', ...given });
    expect(await said()).toEqual(['well 1 dossier de relevés, en ordre.']);
    expect(await said(null)).toEqual([expect.stringMatching(/^fault 1 dossier .*n'est plus lu/)]);
    await writeFile(join(root, 'acme-lcl', 'lus'), '');
    expect(await said()).toEqual([expect.stringMatching(/^fault .*lus n'est pas un dossier/)]);
    await rename(join(root, 'acme-lcl'), join(root, 'ailleurs'));
    expect(await said()).toEqual([
      expect.stringMatching(/^fault « acme-lcl » est affecté.*manque/),
      expect.stringMatching(/^warning 1 .*« ailleurs »/),
    ]);
    await rename(join(root, 'ailleurs'), join(root, 'acme-lcl'));
    await rm(join(root, 'acme-lcl', 'lus'));
    const refuse = (daysAgo: number) =>
      fixture.services.database.sql
        .updateTable('statement_folders')
        .set({
          refused_at: new Date(Date.now() - daysAgo * 86_400_000),
          refusal: 'La ligne 2 de ce fichier est illisible.',
        })
        .execute();
    await refuse(6);
    // Corrected, it was taken out of the folder for refused files.
    expect(await said()).toEqual(['well 1 dossier de relevés, en ordre.']);
    await mkdir(join(root, 'acme-lcl', 'refuses'));
    await writeFile(join(root, 'acme-lcl', 'refuses', 'releve.csv'), '');
    expect(await said()).toEqual([
      expect.stringMatching(/^warning Un fichier de « acme-lcl » .*La ligne 2/),
    ]);
    await refuse(8);
    expect(await said()).toEqual(['well 1 dossier de relevés, en ordre.']);
    if (process.getuid?.() === 0) return;
    for (const [mode, words] of [
      [0o300, 'ne peut pas être lu'],
      [0o500, 'ne peut pas être modifié'],
    ] as const) {
      await chmod(join(root, 'acme-lcl'), mode);
      expect(await said()).toEqual([expect.stringContaining(words)]);
    }
    await chmod(join(root, 'acme-lcl'), 0o700);
  });

  it('reads findings that come in parts', async () => {
    const lines = [well('Base de données', 'Répond : été.'), well('Clé', 'Lisible.')];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const { httpClient, ...examined } = examinedOf(configuration);
    const found: Finding[] = [];
    async function* inspect() {
      yield text.slice(0, 40);
      yield text.slice(40, text.indexOf('\n') + 20);
      yield text.slice(text.indexOf('\n') + 20);
    }
    for await (const one of examine({ httpClient, ...examined, inspect })) found.push(one);
    await httpClient.close();
    expect(found).toEqual(expect.arrayContaining(lines));
    expect(found.filter(({ about }) => about === 'Base de données')).toHaveLength(1);
  });

  it('says before the first start that there is no database yet, not that its key is lost', async () => {
    const nowhere = join(folder, 'not there yet');
    const differences: Partial<AppConfiguration> = {
      ...{ dataDir: nowhere, appSecrets: [] },
      database: { engine: 'embedded', folder: join(nowhere, 'database') },
    };
    const found = await findings(differences);
    const words = "La base n'est pas encore créée : le premier démarrage la crée, et sa clé.";
    expect(found.filter(({ about }) => about === 'Base de données')).toEqual([
      { level: 'warning', about: 'Base de données', words, remedy: 'Démarrez Tirelire.' },
    ]);
    await expect(access(nowhere)).rejects.toThrow('ENOENT');
    await mkdir(join(nowhere, 'database', 'cluster'), { recursive: true });
    expect(await levelOf('Base de données', differences)).toEqual(['fault']);
  });

  it('names a mail server that links are sent to in clear', async () => {
    const level = (smtpUrl: string) =>
      levelOf('SMTP_URL', { mail: { smtpUrl, from: 'tirelire@exemple.fr' } });
    expect(await level('smtp://mail.exemple.fr?insecure=1')).toEqual(['warning']);
    for (const address of [
      'smtp://mail.exemple.fr',
      'smtps://mail.exemple.fr',
      'smtp://localhost',
    ]) {
      expect(await level(address)).toEqual([]);
    }
  });

  it('notices a proxy that leads elsewhere, to a worker, or hides the host', async () => {
    const other = await listen((path) => (path === '/healthz' ? 200 : 404), '{}');
    const hiding = await listen((path) => (path === '/healthz' ? 200 : 307), '{"status":"ok"}');
    const pageless = await listen((path) => (path === '/healthz' ? 200 : 503), '{"status":"ok"}');
    const about = 'Adresse publique';
    expect(await levelOf(about, { publicUrl: urlOf(other) })).toEqual(['fault']);
    expect(await levelOf(about, { publicUrl: urlOf(hiding) })).toEqual(['fault']);
    expect(await levelOf(about, { publicUrl: urlOf(pageless) })).toEqual(['fault']);
    expect(await levelOf(about, { publicUrl: 'http://127.0.0.1:1' })).toEqual(['warning']);
    expect(await levelOf('HTTPS', { publicUrl: 'http://tirelire.invalid' })).toEqual(['fault']);
    for (const server of [other, hiding, pageless]) server.close().closeAllConnections();
  });

  it('notices users whom a bank service does not know, and credentials of another application', async () => {
    const { sql } = fixture.services.database;
    const people = [await addPerson(fixture), await addPerson(fixture)];
    for (const { userId } of people) await addBridgeUser(userId, { unknown_since: new Date() });
    const said = async () =>
      (await findings())
        .filter(({ about, level }) => about === 'Bridge' && level !== 'well')
        .map(({ level, words }) => `${level} ${words}`);
    const [missing] = await said();
    expect(missing).toMatch(/^fault Ne connaît aucun .*\(2\) : .*une autre application/);
    await addBridgeUser((await addPerson(fixture)).userId, { refreshed_at: new Date(0) });
    expect(await said()).toEqual([missing]);
    await addBridgeUser((await addPerson(fixture)).userId, { refreshed_at: new Date() });
    expect(await said()).toEqual([
      expect.stringMatching(/^warning Ne connaît plus 2 utilisateurs/),
    ]);
    await sql.updateTable('bank_refreshes').set({ unknown_since: null }).execute();
    expect(await said()).toEqual([]);
  });

  async function addBridgeUser(
    user_id: string,
    read: { unknown_since: Date } | { refreshed_at: Date },
  ) {
    await fixture.services.database.sql
      .insertInto('bank_refreshes')
      .values({ user_id, source: 'bridge', ...read })
      .execute();
  }
});

async function listen(statusOf: (path: string) => number, body: string): Promise<Server> {
  const server = createServer((request, response) => {
    response.writeHead(statusOf(request.url ?? ''), { location: '/login' }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
