import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { sealedColumns } from '../../../src/server/operations/sealed-columns.ts';
import { appSecretsOf, readAppSecrets } from '../../../src/server/platform/configuration/secret.ts';
import { addAppSecret, watchAppSecrets } from '../../../src/server/platform/vault/rotation.ts';
import { resealEverything } from '../../../src/server/platform/vault/sealed-columns.ts';
import { createVault, VaultError } from '../../../src/server/platform/vault/vault.ts';
import { deletedBankSecrets } from '../../../src/server/privacy/deletion/banks.ts';
import { type Application, startApplication } from '../../support/application.ts';
import { compiled } from '../../support/compiled.ts';
import { seededRandomness } from '../../support/randomness.ts';
import { connectSlack } from '../../support/slack.ts';

const old = 'the secret of the tests';
const fresh = 'the secret that comes after it';
const randomness = seededRandomness('rotation');

let app: Application;
beforeAll(async () => {
  app = await startApplication();
});
afterAll(() => app.close());

/** Every value in the database that looks sealed, wherever it stands. */
async function sealedValues(): Promise<{ table: string; column: string; value: string }[]> {
  const { sql: database } = app.services.database;
  const { rows: columns } = await sql<{ table_name: string; column_name: string }>`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb')`.execute(database);
  const found = [];
  for (const { table_name: table, column_name: column } of columns) {
    const { rows } = await sql<{ value: string }>`
      select ${sql.ref(column)}::text as value from ${sql.table(table)}
      where ${sql.ref(column)}::text ~ 'v1\\.[A-Za-z0-9_-]{16}\\.'`.execute(database);
    found.push(...rows.map(({ value }) => ({ table, column, value })));
  }
  return found;
}

test('a value opens in the row it was sealed for, and in no other', () => {
  const vault = createVault([old], randomness);
  const sealed = vault.seal('xoxb-secret', 'workspaces/ana/1/token');
  expect(vault.open(sealed, 'workspaces/ana/1/token')).toBe('xoxb-secret');
  expect(sealed).not.toContain('secret');
  for (const additionalData of ['workspaces/basile/1/token', 'workspaces/ana/2/token', '']) {
    expect(() => vault.open(sealed, additionalData)).toThrow(VaultError);
  }
  for (const index of [4, 12, 30, sealed.length - 2]) {
    const changed = `${sealed.slice(0, index)}${sealed[index] === 'A' ? 'B' : 'A'}${sealed.slice(index + 1)}`;
    expect(() => vault.open(changed, 'workspaces/ana/1/token')).toThrow(VaultError);
  }
  const [version, nonce, body = ''] = sealed.split('.');
  for (let length = 1; length <= 16; length += 1) {
    const short = Buffer.from(body, 'base64url').subarray(-length).toString('base64url');
    const cut = `${version}.${nonce}.${short}`;
    expect(() => vault.open(cut, 'workspaces/ana/1/token')).toThrow(VaultError);
  }
  for (const none of ['', 'v1', 'v1..', 'v1.AAAA.AAAA', 'v2.AAAA.AAAA', 'xoxb-secret']) {
    expect(() => vault.open(none, 'workspaces/ana/1/token')).toThrow(VaultError);
  }
});

test('the same secret never looks the same twice', () => {
  const vault = createVault([old], randomness);
  expect(vault.seal('secret', 'here')).not.toBe(vault.seal('secret', 'here'));
});

test('every sealed column is one that a rotation reseals', async () => {
  const ana = await app.signUp();
  await connectSlack(app, ana, 'T0FONTAINE');
  const found = new Set((await sealedValues()).map(({ table, column }) => `${table}.${column}`));
  const known = new Set(sealedColumns.map(({ table, column }) => `${table}.${column}`));
  expect(found).toContain('destinations.sealed_secret');
  expect([...found].filter((name) => !known.has(name))).toEqual([]);
});

test('a rotation reseals all there is while people go on, and the old secret opens nothing', async () => {
  const ana = await app.signUp();
  const { id } = await connectSlack(app, ana, 'T0FONTAINE');
  const { vault } = app.services;
  vault.replaceSecrets([fresh, old]);
  expect((await ana.get('/messengers/slack/channels?refresh=1')).status).toBe(200);
  const [rotation, basile] = await Promise.all([
    resealEverything(app.services, sealedColumns),
    app.signUp(),
  ]);
  await connectSlack(app, basile, 'T0FONTAINE');
  expect(rotation.resealed).toBeGreaterThan(0);
  expect(rotation.unreadable).toBe(0);
  expect(await resealEverything(app.services, sealedColumns)).toEqual({
    resealed: 0,
    unreadable: 0,
  });
  vault.replaceSecrets([fresh]);
  for (const person of [ana, basile]) {
    expect((await person.get('/messengers/slack/channels?refresh=1')).status).toBe(200);
  }
  expect((await ana.patch(`/messengers/${id}`, { slackChannel: 'C0FGENERAL0' })).status).toBe(200);
  vault.replaceSecrets([old]);
  const { status } = await ana.get('/messengers/slack/channels?refresh=1');
  expect(status).toBe(500);
  vault.replaceSecrets([fresh]);
});

test('what no secret opens is counted and left as it is', async () => {
  const carl = await app.signUp();
  await connectSlack(app, carl, 'T0FONTAINE');
  const row = () =>
    app.services.database.sql
      .selectFrom('destinations')
      .select('sealed_secret')
      .where('user_id', '=', carl.id)
      .executeTakeFirstOrThrow();
  const { sealed_secret } = await row();
  app.services.vault.replaceSecrets(['a secret that nobody ever had']);
  const rotation = await resealEverything(app.services, sealedColumns);
  expect(rotation.resealed).toBe(0);
  expect(rotation.unreadable).toBeGreaterThan(0);
  expect((await row()).sealed_secret).toBe(sealed_secret);
});

describe('a generated secret', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tirelire-rotation-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('that is replaced while the one before is carried over is carried over too', async () => {
    const configuration = { ...app.services.configuration, appSecrets: [], dataDir };
    const [first = ''] = appSecretsOf(configuration, randomness);
    const deps = {
      ...{ ...app.services, configuration },
      vault: createVault([first], randomness),
    };
    const row = { user_id: randomness.uuid(), source: 'enablebanking' };
    const data = deletedBankSecrets.additionalData(row.user_id, row.source);
    await deps.database.sql
      .insertInto('deletion_banks')
      .values({ ...row, sealed_secret: deps.vault.seal('the key of a bank', data) })
      .execute();
    let newest = '';
    const column = {
      ...deletedBankSecrets,
      additionalData(...key: string[]) {
        if (newest === '') {
          addAppSecret({ configuration, randomness });
          [newest = ''] = readAppSecrets(configuration);
        }
        return deletedBankSecrets.additionalData(...key);
      },
    };
    addAppSecret({ configuration, randomness });
    const watching = watchAppSecrets(deps, [column]);
    await expect.poll(() => readAppSecrets(configuration).length, { timeout: 10_000 }).toBe(1);
    await watching.stop();
    expect(readAppSecrets(configuration)).toEqual([newest]);
    const { sealed_secret } = await deps.database.sql
      .selectFrom('deletion_banks')
      .select('sealed_secret')
      .where('user_id', '=', row.user_id)
      .executeTakeFirstOrThrow();
    expect(createVault([newest], randomness).open(sealed_secret, data)).toBe('the key of a bank');
    // What was told under the first one is recognized until the process ends.
    const told = createVault([first], randomness).fingerprints('a transaction');
    expect(deps.vault.fingerprints('a transaction')).toEqual(expect.arrayContaining(told));
  });

  it('is carried over a minute later where that failed', async () => {
    const configuration = { ...app.services.configuration, appSecrets: [], dataDir };
    const deps = {
      ...{ ...app.services, configuration },
      vault: createVault(appSecretsOf(configuration, randomness), randomness),
    };
    addAppSecret({ configuration, randomness });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const failed = vi.spyOn(deps.log, 'error');
    const missing = { ...deletedBankSecrets, table: 'missing for a minute' };
    const columns = [missing];
    const watching = watchAppSecrets(deps, columns);
    await vi.waitFor(() => expect(failed).toHaveBeenCalled());
    columns.pop();
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    await expect.poll(() => readAppSecrets(configuration).length, { timeout: 10_000 }).toBe(1);
    await watching.stop();
    failed.mockRestore();
  });

  it('is tried again no more once the watch has stopped', async () => {
    const configuration = { ...app.services.configuration, appSecrets: [], dataDir };
    const deps = {
      ...{ ...app.services, configuration },
      vault: createVault(appSecretsOf(configuration, randomness), randomness),
    };
    addAppSecret({ configuration, randomness });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const failed = vi.spyOn(deps.log, 'error');
    const watching = watchAppSecrets(deps, [{ ...deletedBankSecrets, table: 'missing' }]);
    await vi.waitFor(() => expect(failed).toHaveBeenCalledTimes(1));
    addAppSecret({ configuration, randomness });
    await vi.waitFor(() => expect(failed).toHaveBeenCalledTimes(2), { timeout: 10_000 });
    await watching.stop();
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    await tenRoundTrips();
    expect(failed).toHaveBeenCalledTimes(2);
    failed.mockRestore();
  });

  it('is carried over no further once the watch has stopped', async () => {
    const configuration = { ...app.services.configuration, appSecrets: [], dataDir };
    const [first = ''] = appSecretsOf(configuration, randomness);
    const deps = {
      ...{ ...app.services, configuration },
      vault: createVault([first], randomness),
    };
    for (const user_id of [randomness.uuid(), randomness.uuid()]) {
      const data = deletedBankSecrets.additionalData(user_id, 'ponto');
      await deps.database.sql
        .insertInto('deletion_banks')
        .values({ user_id, source: 'ponto', sealed_secret: deps.vault.seal('a key', data) })
        .execute();
    }
    const failed = vi.spyOn(deps.log, 'error');
    const began = Promise.withResolvers<void>();
    const keys: string[][] = [];
    const column = {
      ...deletedBankSecrets,
      additionalData(...key: string[]) {
        keys.push(key);
        began.resolve();
        return deletedBankSecrets.additionalData(...key);
      },
    };
    addAppSecret({ configuration, randomness });
    const watching = watchAppSecrets(deps, [column]);
    await began.promise;
    await watching.stop();
    const { length: before } = keys;
    await tenRoundTrips();
    expect(keys).toHaveLength(before);
    expect(readAppSecrets(configuration)).toHaveLength(2);
    expect(failed).not.toHaveBeenCalled();
    failed.mockRestore();
  });

  it('counts without the blanks around it', async () => {
    await writeFile(
      join(dataDir, 'app-secret'),
      '\ufeffa secret of Windows\r\nan older one of it\r\n',
    );
    expect(readAppSecrets({ dataDir })).toEqual(['a secret of Windows', 'an older one of it']);
  });

  it('is never lost to another one that is added at the same moment', async () => {
    await writeFile(join(dataDir, 'app-secret'), 'the secret of the beginning\n');
    await Promise.all([addSecrets(dataDir, 40), addSecrets(dataDir, 40)]);
    const kept = readAppSecrets({ dataDir });
    expect(kept.at(-1)).toBe('the secret of the beginning');
    expect(new Set(kept).size).toBe(81);
  });
});

/** More than what goes on by mistake needs to show. */
async function tenRoundTrips(): Promise<void> {
  for (let trips = 0; trips < 10; trips += 1) {
    await sql`select 1`.execute(app.services.database.sql);
  }
}

/** One after the other, in a process of its own, which begins when two of them are ready. */
async function addSecrets(dataDir: string, count: number): Promise<void> {
  const module = (path: string) =>
    JSON.stringify(new URL(`../../../src/server/platform/${path}`, import.meta.url));
  const program = `
    import { readdirSync, writeFileSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { systemRandomness as randomness } from ${module('randomness.ts')};
    import { addAppSecret } from ${module('vault/rotation.ts')};
    const configuration = { dataDir: ${JSON.stringify(dataDir)} };
    writeFileSync(configuration.dataDir + '/ready-' + process.pid, '');
    const isAlone = () => readdirSync(configuration.dataDir).filter((name) => name.startsWith('ready')).length < 2;
    while (isAlone()) await sleep(5);
    for (let added = 0; added < ${count}; added += 1) addAppSecret({ configuration, randomness });`;
  const env = { ...process.env, ...compiled };
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env });
}
