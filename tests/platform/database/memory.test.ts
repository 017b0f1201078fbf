import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import {
  makeTemplate,
  templateFolder,
} from '../../../src/server/platform/database/empty-cluster.ts';
import { memorySettingFor } from '../../../src/server/platform/database/memory-setting.ts';

// A database on the disk, syncing, takes its time on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

test('in 512 MiB a new database takes little memory, and copying it next to none', async () => {
  await makeTemplate();
  const folder = await mkdtemp(join(tmpdir(), 'tirelire memory '));
  const program = fileURLToPath(new URL('memory-process.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, folder, '24']);
  await rm(folder, { recursive: true });
  const { opened, filled, copied } = JSON.parse(stdout);
  expect(opened).toBeLessThan(260);
  // The folder has 90 MiB by now, which as an archive in memory were at least twice that.
  expect(copied - filled).toBeLessThan(100);
});

test('the empty database is there for every user of the machine, who may not change it', async () => {
  await makeTemplate();
  const template = await templateFolder();
  for (const name of ['', ...(await readdir(template, { recursive: true }))]) {
    const found = await stat(join(template, name));
    expect(found.mode & 0o777, name).toBe(found.isDirectory() ? 0o755 : 0o644);
  }
});

test('the setting follows the memory there is', () => {
  const gibibyte = 2 ** 30;
  expect(memorySettingFor(gibibyte / 2)).toMatchObject({ name: 'small', availableMiB: 512 });
  expect(memorySettingFor(2 * gibibyte - 1).name).toBe('small');
  expect(memorySettingFor(2 * gibibyte).name).toBe('fast');
});
