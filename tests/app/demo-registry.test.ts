import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfiguration } from '../../src/server/providers/configuration.ts';
import { missingServices, startStandins } from '../../standins/demo/registry.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tirelire-registry-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const nothing = { bankSources: [], chats: [] };

test('a stand-in is started where the product has no service of its kind', () => {
  const all = missingServices(nothing);
  expect(all.areAll).toBe(true);
  expect(all.entries.map(({ name }) => name)).toEqual(['bank', 'chat']);
  const rest = missingServices({ ...nothing, bankSources: [{ credentials: ['ID', 'SECRET'] }] });
  expect(rest).toMatchObject({ areAll: false, entries: [{ name: 'chat' }] });
  const open = missingServices({ ...nothing, chats: [{ credentials: null }] });
  expect(open.areAll).toBe(true);
});

test('what the stand-ins give the product is a configuration that it takes', async () => {
  const { entries } = missingServices(nothing);
  const clock = { now: () => new Date() };
  const publicUrl = 'http://localhost:3000';
  const standins = await startStandins(entries, { clock, publicUrl, folder, firstPort: 65_536 });
  const environment = Object.assign({}, ...standins.map(({ variables }) => variables));
  await Promise.all(standins.map((standin) => standin.close()));
  const completed = readConfiguration(environment, 'serve', folder);
  expect(missingServices(completed).entries).toEqual([]);
});
