import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bankSources } from '../../src/server/providers/banks/registry.ts';
import { readConfiguration } from '../../src/server/providers/configuration.ts';
import { missingServices, startStandins } from '../../standins/demo/registry.ts';
import { vault } from '../providers/banks/throwaway/definition.ts';
import { pigeon } from '../providers/chats/throwaway/definition.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tirelire-registry-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const nothing = { bankSources: [], chats: [] };

test('a stand-in is started where the product has no service of its kind', () => {
  const all = missingServices(nothing);
  expect(all.areAll).toBe(true);
  expect(new Set(all.entries.map(({ kind }) => kind))).toEqual(new Set(['bankSources', 'chats']));
  const rest = missingServices({ ...nothing, bankSources: configured(bankSources) });
  expect(rest.areAll).toBe(false);
  expect(rest.entries.every(({ kind }) => kind === 'chats')).toBe(true);
});

test('a service that each person opens does not replace the stand-ins', () => {
  const open = { bankSources: configured([vault]), chats: configured([pigeon]) };
  expect(open.bankSources).toHaveLength(1);
  expect(missingServices(open).areAll).toBe(true);
});

function configured<C>(
  definitions: readonly { variables: object; configure(values: object): C | null }[],
): C[] {
  return definitions.flatMap((definition) => {
    const values = Object.keys(definition.variables).map((name) => [name, `https://${name}`]);
    return definition.configure(Object.fromEntries(values)) ?? [];
  });
}

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
