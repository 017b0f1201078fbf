import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ConfigurationFaults } from '../../src/server/platform/configuration/configuration.ts';
import { requireDataFolder } from '../../src/server/platform/configuration/data-folder.ts';
import { readEnvironment } from '../../src/server/platform/configuration/environment.ts';
import {
  appSecretsOf,
  requireKeyOfDatabase,
} from '../../src/server/platform/configuration/secret.ts';
import { lockFolder } from '../../src/server/platform/database/folder-lock.ts';
import { systemRandomness } from '../../src/server/platform/randomness.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tirelire-environment-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a variable of the process takes the place of the one of .env, an empty one too', () => {
  const folder = newFolder();
  writeFileSync(join(folder, '.env'), 'DATABASE_URL=postgres://localhost/tirelire\nPORT=4321\n');
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('DATABASE_URL', '');
  vi.stubEnv('PORT', '5000');
  expect(readEnvironment(folder)).toMatchObject({ DATABASE_URL: '', PORT: '5000' });
});

test('a .env that begins with a byte order mark keeps its first variable', () => {
  const folder = newFolder();
  writeFileSync(join(folder, '.env'), '\ufeffFIRST_OF_THE_FILE=one\nSECOND_OF_THE_FILE=two\n');
  const { FIRST_OF_THE_FILE, SECOND_OF_THE_FILE } = readEnvironment(folder);
  expect([FIRST_OF_THE_FILE, SECOND_OF_THE_FILE]).toEqual(['one', 'two']);
});

test('the generated secret is kept for its owner alone, and an emptied one is not used', () => {
  const dataDir = newFolder();
  const secrets = () => appSecretsOf({ appSecrets: [], dataDir }, systemRandomness);
  const generated = secrets();
  expect(secrets()).toEqual(generated);
  expect(statSync(join(dataDir, 'app-secret')).mode & 0o777).toBe(0o600);
  writeFileSync(join(dataDir, 'app-secret'), '');
  expect(secrets).toThrow(ConfigurationFaults);
});

test('a data folder that cannot be one is told with what is in its way', () => {
  const folder = newFolder();
  const [file, link] = [join(folder, 'file'), join(folder, 'link')];
  writeFileSync(file, '');
  symlinkSync(join(folder, 'nowhere'), link);
  const check = (dataDir: string) =>
    requireDataFolder({ dataDir, database: { engine: 'embedded', folder: dataDir } });
  for (const path of [folder, join(folder, 'to/be/made')]) check(path);
  expect(() => check(file)).toThrow(`DATA_DIR (${file}) n'est pas un dossier`);
  for (const other of [file, link]) {
    const path = join(other, 'sub/folder');
    expect(() => check(path)).toThrow(`DATA_DIR (${path}) passe par ${other}, qui n'est pas`);
  }
});

test('no start makes a key beside a database whose own is away', () => {
  const dataDir = newFolder();
  const folder = join(dataDir, 'database');
  const start = (given = {}) =>
    requireKeyOfDatabase({
      ...{ appSecrets: [], dataDir, database: { engine: 'embedded', folder }, ...given },
    });
  start();
  mkdirSync(folder);
  lockFolder(folder).release();
  expect(start).toThrow(/La clé de la base manque.*openssl rand -base64 32/);
  start({ appSecrets: ['a key that was given by its owner'] });
  appSecretsOf({ appSecrets: [], dataDir }, systemRandomness);
  start();
});
