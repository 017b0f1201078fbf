import { execFile } from 'node:child_process';
import {
  chown,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listTables } from '../../src/server/operations/backup/tables.ts';
import { lockFolder } from '../../src/server/platform/database/folder-lock.ts';
import { openDatabase } from '../../src/server/platform/database/open.ts';
import { compiled } from '../support/compiled.ts';
import { unpackEmptyDatabase } from '../support/empty-database.ts';
import { freePort } from '../support/ports.ts';
import { unpackPreparedDatabase } from '../support/prepared-database.ts';
import { newPerson, type Served, serve } from '../support/served.ts';

let folder: string;
let served: Served;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tirelire-commands-'));
  const nowhere = 'http://127.0.0.1:1';
  environment = {
    PORT: String(await freePort()),
    DATA_DIR: folder,
    ...{ BRIDGE_API_URL: nowhere, BRIDGE_CLIENT_ID: 'id', BRIDGE_CLIENT_SECRET: 'secret' },
    ...{ SLACK_API_URL: nowhere, SLACK_CLIENT_ID: 'id', SLACK_CLIENT_SECRET: 'secret' },
  };
  await unpackPreparedDatabase(join(folder, 'database/cluster'));
  served = await serve(environment);
  await newPerson(`http://127.0.0.1:${environment.PORT}`, 'zoe@example.fr');
});
afterAll(async () => {
  await served?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** As the launcher runs it: a process of its own, beside the one that serves. */
function command(name: string, args: string[] = [], variables: Record<string, string> = {}) {
  const entry = fileURLToPath(new URL(`../../src/server/commands/${name}.ts`, import.meta.url));
  const env = { PATH: process.env.PATH, ...compiled, ...environment, ...variables };
  return new Promise<{ code: number; out: string }>((resolve) => {
    execFile(execPath, [entry, ...args], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, out: stdout + stderr });
    });
  });
}

describe('an operator, while the embedded database serves people', () => {
  it('copies it into a file of her own, without the key, and restores it elsewhere', async () => {
    const file = join(folder, 'copy.backup.gz');
    const made = await command('backup', [file]);
    expect(made).toMatchObject({ code: 0, out: expect.stringContaining('app-secret') });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const key = (await readFile(join(folder, 'app-secret'), 'utf8')).trim();
    const text = gunzipSync(await readFile(file)).toString();
    expect(text).toContain('zoe@example.fr');
    expect(text).not.toContain(key);

    const elsewhere = { DATA_DIR: join(folder, 'elsewhere') };
    await unpackEmptyDatabase(join(elsewhere.DATA_DIR, 'database/cluster'));
    const keyless = await command('restore', [file], elsewhere);
    expect(keyless).toMatchObject({ code: 1, out: expect.stringContaining('La clé manque') });
    const foreign = { ...elsewhere, APP_SECRET: 'a key of somebody else' };
    const refused = await command('restore', [file], foreign);
    expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('ne correspond pas') });
    const restored = await command('restore', [file], { ...elsewhere, APP_SECRET: key });
    const told =
      /Restaurées : \d+ lignes, telles qu'elles étaient le \S+ \S+ \d{4} à \d\d:\d\d UTC\./;
    expect(restored).toMatchObject({ code: 0, out: expect.stringMatching(told) });
    const users = await command('user', ['list'], { ...elsewhere, APP_SECRET: key });
    expect(users.out).toContain('zoe@example.fr');
  });

  it('restores it without its key, and says what must be linked again', async () => {
    const lines = gunzipSync(await readFile(join(folder, 'copy.backup.gz')))
      .toString()
      .split('\n');
    const owner = lines.find((line) => line.includes('zoe@example.fr')) ?? '';
    const row = {
      ...{ user_id: JSON.parse(owner).id, id: 'one', chat: 'slack', state: 'connected', scope: '' },
      ...{ team_id: 'T1', team_name: 'Laveries', sealed_secret: 'under the key that is lost' },
      ...{ created_at: '2026-01-12T09:00:00Z', updated_at: '2026-01-12T09:00:00Z' },
    };
    const end = lines.findLastIndex((line) => line.startsWith('{"rows":'));
    const { rows } = JSON.parse(lines[end] ?? '');
    const added = [{ table: 'destinations' }, row, { rows: rows + 1 }].map((line) =>
      JSON.stringify(line),
    );
    const file = join(folder, 'linked.backup.gz');
    await writeFile(file, gzipSync(`${[...lines.slice(0, end), ...added].join('\n')}\n`));
    const keyless = { DATA_DIR: join(folder, 'keyless'), APP_SECRET: 'a key that comes after it' };
    await unpackEmptyDatabase(join(keyless.DATA_DIR, 'database/cluster'));
    expect(await command('restore', [file, '--without-key'], keyless)).toMatchObject({
      ...{ code: 0, out: expect.stringMatching(/clé est perdue : 1\. .*Prévenez chaque personne/) },
    });
  });

  it('says until when the old key is needed where none runs, and leaves it to the next start', async () => {
    const file = join(folder, 'app-secret');
    const key = (await readFile(file, 'utf8')).trim();
    const elsewhere = { DATA_DIR: join(folder, 'elsewhere') };
    const said = { code: 0, out: expect.stringContaining('opérations déjà annoncées') };
    const changed = { ...elsewhere, APP_SECRET: `a key that comes after it,${key}` };
    expect(await command('rotate-secret', [], changed)).toMatchObject(said);
    await writeFile(join(elsewhere.DATA_DIR, 'app-secret'), 'a key that comes after it\n');
    expect(await command('rotate-secret', [], elsewhere)).toMatchObject(said);
    const after = (await readFile(join(elsewhere.DATA_DIR, 'app-secret'), 'utf8')).trim();
    expect(after.split('\n')).toEqual([expect.any(String), 'a key that comes after it']);
  });

  it('changes the key as soon as another command has let go of the database', async () => {
    const elsewhere = join(folder, 'elsewhere');
    const secrets = async () => (await readFile(join(elsewhere, 'app-secret'), 'utf8')).split('\n');
    const before = await secrets();
    const other = lockFolder(join(elsewhere, 'database'));
    const changing = command('rotate-secret', [], { DATA_DIR: elsewhere });
    await expect
      .poll(async () => (await secrets()).length, { timeout: 20_000 })
      .toBe(before.length + 1);
    // Begun later, and refused: by then the first one was told the same.
    const refused = await command('user', ['list'], { DATA_DIR: elsewhere });
    expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('déjà utilisé') });
    other.release();
    expect(await changing).toMatchObject({
      code: 0,
      out: expect.stringContaining('nouvelle clé : '),
    });
    expect((await secrets()).slice(1)).toEqual(before);
  }, 90_000);

  it('restores nothing where what is due could not be kept from leaving again', async () => {
    const file = join(folder, 'queueless.backup.gz');
    await command('backup', [file]);
    const variables = { DATA_DIR: join(folder, 'queueless') };
    await mkdir(variables.DATA_DIR);
    await copyFile(join(folder, 'app-secret'), join(variables.DATA_DIR, 'app-secret'));
    const database = { engine: 'embedded', folder: join(variables.DATA_DIR, 'database') } as const;
    await unpackEmptyDatabase(join(database.folder, 'cluster'));
    const before = await openDatabase({ database }, () => {});
    await sql`create schema pgboss`.execute(before.sql);
    await sql`create view pgboss.version as select 'foreign' as version`.execute(before.sql);
    await before.close();
    expect(await command('restore', [file], variables)).toMatchObject({ code: 1 });
    const after = await openDatabase({ database }, () => {});
    expect(await listTables(after.sql)).toEqual([]);
    await after.close();
  });

  it('copies it where a copy was killed before, or is still being written', async () => {
    const file = join(folder, 'daily.backup.gz');
    await writeFile(`${file}.unfinished`, 'half of it');
    const [dead, written] = [1, 2].map(
      (first) => `${file}.${first}0000000-0000-4000-8000-000000000000.unfinished`,
    );
    for (const path of [dead, written]) await writeFile(`${path}`, 'half of it');
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000);
    await utimes(`${dead}`, longAgo, longAgo);
    expect(await command('backup', [file])).toMatchObject({ code: 0 });
    expect(await readFile(`${file}.unfinished`, 'utf8')).toBe('half of it');
    expect(await readFile(`${written}`, 'utf8')).toBe('half of it');
    await expect(readFile(`${dead}`)).rejects.toThrow('ENOENT');
  });

  it('changes and writes nothing for a word that a command does not know, such as --help', async () => {
    const before = await readdir(folder);
    const key = await readFile(join(folder, 'app-secret'), 'utf8');
    const unknown: [name: string, args: string[]][] = [
      ['backup', ['--help']],
      ['backup', [folder, '--quiet']],
      ['backup', ['a.gz', 'b.gz']],
      ['restore', ['--help']],
      ['restore', ['a.gz', '--without-a-key']],
      ['restore', ['a.gz', 'b.gz']],
      ['rotate-secret', ['--help']],
      ['user', ['list', 'zoe@example.fr']],
    ];
    for (const [name, args] of unknown) {
      const said = await command(name, args);
      expect(said).toMatchObject({ code: 1, out: expect.stringMatching(`^npm run ${name}`) });
    }
    expect(await readdir(folder)).toEqual(before);
    expect(await readFile(join(folder, 'app-secret'), 'utf8')).toBe(key);
  });

  it('prints a link for a new password, and is told when nobody has the address', async () => {
    const link = await command('user', ['reset-link', 'ZOE@example.fr']);
    expect(link.out).toMatch(/http:\/\/localhost:\d+\/mot-de-passe#jeton=[\w-]{43}/);
    expect(served.log()).not.toContain(link.out.match(/jeton=([\w-]+)/)?.[1] ?? '?');
    expect((await command('user', ['confirm', 'nobody@example.fr'])).code).toBe(1);
    const twoPeople = ['delete', 'nobody@example.fr', 'zoe@example.fr'];
    for (const args of [[], ['toString', 'zoe@example.fr'], twoPeople]) {
      expect((await command('user', args)).out).toContain('reset-link <email>');
    }
    expect((await command('user', ['lift-second-factor', 'zoe@example.fr'])).code).toBe(1);
  });

  it('lists a name on one line, with nothing in it that a terminal obeys', async () => {
    const url = `http://127.0.0.1:${environment.PORT}`;
    const eve = await newPerson(url, 'eve@example.fr');
    const lastname = 'B\r\nzoe@example.fr  (Zoé,\u202e depuis hier)\u2028';
    await eve.patch('/users/me', { firstname: '\u001b[2J\u001b]0;titre\u0007Eve', lastname });
    const { out } = await command('user', ['list']);
    expect(out).toMatch(/^eve@example\.fr {2}\( \[2J \]0;titre Eve B zoe@example\.fr .*\)$/m);
    expect(out.trimEnd().split('\n')).toHaveLength(2);
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Bidi_Control}]/u);
  });

  it('changes the key, which the running service takes up', async () => {
    const file = join(folder, 'app-secret');
    const before = await readFile(file, 'utf8');
    expect(await command('rotate-secret')).toMatchObject({
      ...{ code: 0, out: expect.stringContaining('opérations déjà annoncées') },
    });
    const after = await readFile(file, 'utf8');
    expect(after.trim().split('\n')).toHaveLength(1);
    expect(after).not.toBe(before);
    const refused = await command('rotate-secret', [], { APP_SECRET: 'one key and no other' });
    expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('nouvelle,ancienne') });
  });

  it.runIf(process.geteuid?.() === 0)(
    'changes no key that is of another account, and leaves nothing beside it',
    async () => {
      const dataDir = join(folder, 'of another');
      const file = join(dataDir, 'app-secret');
      await mkdir(dataDir);
      await writeFile(file, 'a key of another account\n');
      for (const name of [dataDir, file]) await chown(name, 65_534, 65_534);
      expect(await command('rotate-secret', [], { DATA_DIR: dataDir })).toMatchObject({
        ...{ code: 1, out: expect.stringContaining('(uid 65534)') },
      });
      expect(await readdir(dataDir)).toEqual(['app-secret']);
      expect((await stat(file)).uid).toBe(65_534);
      expect(await readFile(file, 'utf8')).toBe('a key of another account\n');
    },
  );

  it('is told what is wrong, all of it, by an exit code too', async () => {
    const ill = await command('doctor');
    expect(ill).toMatchObject({ code: 1, out: expect.stringContaining('✗ Bridge') });
    expect(ill.out).toContain('✓ Base de données : Intégrée');
    const asked = await command('doctor', ['--help']);
    expect(asked).toEqual({ code: 1, out: 'npm run doctor, sans argument\n' });
    const unset = await command('doctor', [], { BRIDGE_CLIENT_ID: '', PUBLIC_URL: 'nonsense' });
    expect(unset).toMatchObject({ code: 1, out: expect.stringContaining('✗ Configuration') });
  });

  it('is told that the folder is in use, when whoever uses it cannot be asked', async () => {
    const elsewhere = join(folder, 'held', 'database');
    await mkdir(elsewhere, { recursive: true });
    const held = lockFolder(elsewhere);
    const leftBehind = JSON.stringify({
      port: await freePort(),
      token: 'of a service that was killed',
    });
    await writeFile(join(elsewhere, 'holder.json'), leftBehind);
    const variables = { DATA_DIR: join(folder, 'held'), APP_SECRET: 'a key of somebody else' };
    const refused = await command('user', ['list'], variables);
    held.release();
    expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('déjà utilisé') });
  });

  it('is told in a line what the machine or the database says no to', async () => {
    const impossible = await command('backup', [join(folder, 'app-secret', 'copy.gz')]);
    expect(impossible).toEqual({ code: 1, out: expect.stringMatching(/^E[A-Z]+: .*\n$/) });
    const variables = { DATA_DIR: join(folder, 'new'), APP_SECRET: 'a key of somebody else' };
    await unpackEmptyDatabase(join(variables.DATA_DIR, 'database/cluster'));
    const early = await command('user', ['list'], variables);
    expect(early).toEqual({ code: 1, out: expect.stringMatching(/^Le schéma de la base .*\n$/) });
  });

  it('is refused a file that is no backup', async () => {
    const file = join(folder, 'letter.txt');
    await writeFile(file, 'Bonjour');
    const variables = { DATA_DIR: join(folder, 'unused'), APP_SECRET: 'a key of somebody else' };
    const inFolder = await command('restore', [folder], variables);
    expect(inFolder).toEqual({ code: 1, out: `${folder} est un dossier : donnez un fichier.\n` });
    for (const given of [[file], ['/nowhere'], []]) {
      expect(await command('restore', given, variables)).toMatchObject({ code: 1 });
    }
  });
});
