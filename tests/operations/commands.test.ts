import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPerson } from '../peers/person.ts';
import { freePort, type Served, serve } from '../peers/serving.ts';

let folder: string;
let served: Served;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tirelire-commands-'));
  const nowhere = 'http://127.0.0.1:1';
  environment = {
    NODE_COMPILE_CACHE: fileURLToPath(
      new URL('../../node_modules/.cache/tirelire/compiled', import.meta.url),
    ),
    PORT: String(await freePort()),
    DATA_DIR: folder,
    ...{ BRIDGE_API_URL: nowhere, BRIDGE_CLIENT_ID: 'id', BRIDGE_CLIENT_SECRET: 'secret' },
    ...{ SLACK_API_URL: nowhere, SLACK_CLIENT_ID: 'id', SLACK_CLIENT_SECRET: 'secret' },
  };
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
  const env = { PATH: process.env.PATH, ...environment, ...variables };
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
    const keyless = await command('restore', [file], elsewhere);
    expect(keyless).toMatchObject({ code: 1, out: expect.stringContaining('La clé manque') });
    const foreign = { ...elsewhere, APP_SECRET: 'a key of somebody else' };
    const refused = await command('restore', [file], foreign);
    expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('ne correspond pas') });
    const restored = await command('restore', [file], { ...elsewhere, APP_SECRET: key });
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('Restauré') });
    const users = await command('user', ['list'], { ...elsewhere, APP_SECRET: key });
    expect(users.out).toContain('zoe@example.fr');
  }, 60_000);

  it('prints a link for a new password, and is told when nobody has the address', async () => {
    const link = await command('user', ['reset-link', 'ZOE@example.fr']);
    expect(link.out).toMatch(/http:\/\/localhost:\d+\/mot-de-passe#jeton=[\w-]{43}/);
    expect(served.log()).not.toContain(link.out.match(/jeton=([\w-]+)/)?.[1] ?? '?');
    expect((await command('user', ['confirm', 'nobody@example.fr'])).code).toBe(1);
    expect((await command('user')).out).toContain('reset-link <e-mail>');
  });

  it('changes the key, which the running service takes up', async () => {
    const file = join(folder, 'app-secret');
    const before = await readFile(file, 'utf8');
    expect(await command('rotate-secret')).toMatchObject({ code: 0 });
    const after = await readFile(file, 'utf8');
    expect(after.trim().split('\n')).toHaveLength(1);
    expect(after).not.toBe(before);
    const refused = await command('rotate-secret', [], { APP_SECRET: 'one key and no other' });
    expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('nouvelle,ancienne') });
  });

  it('is told what is wrong, all of it, by an exit code too', async () => {
    const ill = await command('doctor');
    expect(ill).toMatchObject({ code: 1, out: expect.stringContaining('✗ Bridge') });
    expect(ill.out).toContain('✓ Base de données : Intégrée');
    const unset = await command('doctor', [], { BRIDGE_CLIENT_ID: '', PUBLIC_URL: 'nonsense' });
    expect(unset).toMatchObject({ code: 1, out: expect.stringContaining('✗ Configuration') });
  });

  it('is refused a file that is no backup', async () => {
    const file = join(folder, 'letter.txt');
    await writeFile(file, 'Bonjour');
    for (const given of [[file], ['/nowhere'], []]) {
      const variables = { DATA_DIR: join(folder, 'unused'), APP_SECRET: 'a key of somebody else' };
      expect(await command('restore', given, variables)).toMatchObject({ code: 1 });
    }
  });
});
