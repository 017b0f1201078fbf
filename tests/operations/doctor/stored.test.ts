import { randomUUID } from 'node:crypto';
import { access, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readQueueDepths } from '../../../src/server/notifications/queue-depths.ts';
import { markFinished, markUnfinished } from '../../../src/server/operations/backup/unfinished.ts';
import { existingSecrets } from '../../../src/server/operations/commands/opening.ts';
import { systemClock } from '../../../src/server/platform/clock.ts';
import { migrate } from '../../../src/server/platform/database/migrate.ts';
import { openDatabase } from '../../../src/server/platform/database/open.ts';
import type { AppConfiguration } from '../../../src/server/providers/configuration.ts';
import { addMessenger, addPerson, makeDue } from '../../notifications/deliveries/people.ts';
import { type Examined, openExamined } from './examined.ts';

let examined: Examined;
beforeAll(async () => {
  examined = await openExamined();
});
afterAll(() => examined.close());

test('notices a database that does not answer, and one that holds nothing yet', async () => {
  const url = 'postgres://tirelire@127.0.0.1:1/none';
  expect(
    await examined.levelOf('Base de données', { database: { engine: 'postgres', url } }),
  ).toEqual(['fault']);
  const [away] = (await examined.findings({ database: { engine: 'postgres', url } })).filter(
    ({ about }) => about === 'Base de données',
  );
  expect(away).toMatchObject({
    words: 'La base PostgreSQL ne répond pas.',
    remedy: expect.stringContaining("Vérifiez qu'elle tourne"),
  });
  const empty = await examined.databases.server?.createDatabase();
  const database = { engine: 'postgres', url: empty ?? '' } as const;
  expect(await examined.levelOf('Base de données', { database })).toEqual(['well', 'warning']);
});

test('notices a database that takes no writes, in which nothing can be sent', async () => {
  const url = (await examined.databases.server?.createPreparedDatabase()) ?? '';
  const database = { engine: 'postgres', url } as const;
  const opened = await openDatabase({ database }, () => {});
  const name = sql.id(new URL(url).pathname.slice(1));
  await sql`alter database ${name} set default_transaction_read_only = on`.execute(opened.sql);
  await opened.close();
  const found = await examined.findings({ database });
  expect(found.filter(({ level }) => level === 'fault')).toEqual([
    {
      ...({ level: 'fault', about: 'Base de données' } as const),
      words: expect.stringMatching(/^PostgreSQL [\d.]+.* est en lecture seule/),
      remedy: expect.stringMatching(/default_transaction_read_only/),
    },
  ]);
});

test('notices a database of a later version, which this one leaves as it is', async () => {
  const url = (await examined.databases.server?.createPreparedDatabase()) ?? '';
  const database = { engine: 'postgres', url } as const;
  const opened = await openDatabase({ database }, () => {});
  await sql`insert into kysely_migration values ('9999-later', '2026-01-12')`.execute(opened.sql);
  await expect(migrate(opened)).rejects.toThrow(/^La base .* version plus récente/);
  await opened.close();
  expect(await examined.levelOf('Base de données', { database })).toEqual(['well', 'fault']);
});

test('notices a restore that was not finished', async () => {
  const url = (await examined.databases.server?.createPreparedDatabase()) ?? '';
  const database = { engine: 'postgres', url } as const;
  const opened = await openDatabase({ database }, () => {});
  await markUnfinished(opened.sql);
  expect(await examined.levelOf('Base de données', { database })).toEqual(['well', 'fault']);
  await markFinished(opened.sql);
  expect(await examined.levelOf('Base de données', { database })).toEqual(['well']);
  await opened.close();
});

test('notices a key that opens nothing, one that is being replaced, and messages nobody sends', async () => {
  const [secret = ''] = examined.configuration.appSecrets;
  const overdue = await addMessenger(examined.fixture, await addPerson(examined.fixture));
  await makeDue(examined.fixture, overdue, new Date(Date.now() - 61_000));
  expect(await examined.levelOf('Clé', {})).toEqual(['well']);
  expect(await examined.levelOf('Clé', { appSecrets: ['quite another secret'] })).toEqual([
    'fault',
  ]);
  expect(await examined.levelOf('Clé', { appSecrets: ['a newer secret', secret] })).toEqual([
    'warning',
  ]);
  expect(await examined.levelOf('Envois', {})).toEqual(['fault']);
});

test('notices messages that a worker had claimed when it was killed, and no other has taken since', async () => {
  const { services } = examined.fixture;
  const { sql: database } = services.database;
  await database.deleteFrom('messengers').execute();
  const person = await addPerson(examined.fixture);
  const { user_id, id } = await addMessenger(examined.fixture, person, { stopped: true });
  const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);
  const delivery = {
    ...({ user_id, messenger_id: id, id: randomUUID(), kind: 'daily', sequence: 0 } as const),
    ...({ local_date: '2026-01-12', outcome: 'pending', attempts: 1 } as const),
    ...{ due_at: secondsAgo(61), sending_at: secondsAgo(61), created_at: secondsAgo(61) },
  };
  await database
    .insertInto('deliveries')
    .values({ ...delivery, run_at: secondsAgo(-30) })
    .execute();
  // The lease holds: a worker is sending it, or it waits for its chat.
  expect(await examined.levelOf('Envois', {})).toEqual(['well']);
  await database
    .updateTable('deliveries')
    .set({ run_at: secondsAgo(16) })
    .execute();
  expect(await examined.levelOf('Envois', {})).toEqual(['fault']);
  await database
    .updateTable('deliveries')
    .set({ due_at: secondsAgo(55) })
    .execute();
  expect(await examined.levelOf('Envois', {})).toEqual(['well']);
  const { dueWaiting, dueOldestSeconds } = await readQueueDepths({
    ...services,
    clock: systemClock,
  });
  expect([dueWaiting, Math.floor(dueOldestSeconds / 10)]).toEqual([1, 5]);
  await database.deleteFrom('deliveries').execute();
});

test('notices an erasure that a service has refused for a day', async () => {
  const deletion = { receipt_hash: 'r', user_id: null, provider_users: null, recipient: null };
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  await examined.fixture.services.database.sql
    .insertInto('deletions')
    .values({ id: randomUUID(), ...deletion, requested_at: hoursAgo(23), tried_at: hoursAgo(0) })
    .execute();
  expect(await examined.levelOf('Suppressions', {})).toEqual(['well']);
  await examined.fixture.services.database.sql
    .updateTable('deletions')
    .set({ requested_at: hoursAgo(25) })
    .execute();
  expect(await examined.levelOf('Suppressions', {})).toEqual(['warning']);
});

test('notices mails that were refused in the last days', async () => {
  const { userId } = await addPerson(examined.fixture);
  const refused = async (daysAgo: number) => {
    await examined.fixture.services.database.sql
      .insertInto('mails')
      .values({
        ...{ user_id: userId, id: randomUUID(), cause: `${daysAgo} days`, day: '2026-01-12' },
        ...{ recipient: 'ana@exemple.fr', subject: 'En pause', body: '…', failure: '450 busy' },
        created_at: new Date(Date.now() - daysAgo * 86_400_000),
      })
      .execute();
    return await examined.levelOf('Emails', {});
  };
  expect(await refused(8)).toEqual(['well']);
  expect(await refused(6)).toEqual(['warning']);
});

test('says before the first start that there is no database yet, not that its key is lost', async () => {
  const nowhere = join(examined.folder, 'not there yet');
  const differences: Partial<AppConfiguration> = {
    ...{ dataDir: nowhere, appSecrets: [] },
    database: { engine: 'embedded', folder: join(nowhere, 'database') },
  };
  const found = await examined.findings(differences);
  const words = "La base n'est pas encore créée : le premier démarrage la crée, et sa clé.";
  expect(found.filter(({ about }) => about === 'Base de données')).toEqual([
    { level: 'warning', about: 'Base de données', words, remedy: 'Démarrez Tirelire.' },
  ]);
  await expect(access(nowhere)).rejects.toThrow('ENOENT');
  await mkdir(join(nowhere, 'database', 'cluster'), { recursive: true });
  expect(await examined.levelOf('Base de données', differences)).toEqual(['fault']);
});

test('does not take a folder that it cannot look into for one without a database', async () => {
  // Refused to every user, as a folder of another user is to all but root.
  const closed = join(examined.folder, 'closed');
  await symlink(closed, closed);
  const differences: Partial<AppConfiguration> = {
    ...{ dataDir: closed, appSecrets: [] },
    database: { engine: 'embedded', folder: join(closed, 'database') },
  };
  expect(await examined.levelOf('Base de données', differences)).toEqual(['fault']);
  const configuration = { ...examined.configuration, ...differences };
  expect(() => existingSecrets(configuration)).toThrow('ELOOP');
});
