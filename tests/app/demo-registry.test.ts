import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigurationFaults } from '../../src/server/platform/configuration/configuration.ts';
import { requireNoDemonstration } from '../../src/server/platform/configuration/demonstration-folder.ts';
import { bankSources } from '../../src/server/providers/banks/registry.ts';
import { readConfiguration } from '../../src/server/providers/configuration.ts';
import { startDemonstration } from '../../standins/demo/demonstration.ts';
import { requireLoopback } from '../../standins/demo/loopback.ts';
import { missingServices, startStandins } from '../../standins/demo/registry.ts';
import { example as exampleSource } from '../providers/banks/example/definition.ts';
import { example as exampleChat } from '../providers/chats/example/definition.ts';

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
  const open = { bankSources: configured([exampleSource]), chats: configured([exampleChat]) };
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

describe('a demonstration', () => {
  const here = { host: '127.0.0.1', publicUrl: 'http://localhost:3000' };
  const refused = (differences: Partial<typeof here>, isAnyReal = false) => {
    try {
      requireLoopback({ ...here, ...differences }, { isAnyReal });
      return [];
    } catch (error) {
      if (error instanceof ConfigurationFaults) return error.faults;
      throw error;
    }
  };

  test.each(['localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])('is served on %s', (host) => {
    const name = host === '::1' ? '[::1]' : host;
    expect(refused({ host, publicUrl: `http://${name}:3000` })).toEqual([]);
  });

  test.each(['0.0.0.0', '::', '192.168.1.2', 'serveur', '127.0.0.1.exemple.fr'])(
    'is not served on %s',
    (host) => {
      const faults = [expect.stringMatching(/^HOST=.*retirez HOST/)];
      expect(refused({ host })).toEqual(faults);
      expect(refused({ host }, true)).toEqual(faults);
    },
  );

  test('has no public address, but where a real service sends people back to one', () => {
    const publicUrl = 'https://tirelire.exemple.fr';
    expect(refused({ publicUrl })).toEqual([expect.stringMatching(/^PUBLIC_URL=.*retirez/)]);
    expect(refused({ publicUrl }, true)).toEqual([]);
    expect(refused({ publicUrl, host: '0.0.0.0' })).toHaveLength(2);
  });

  test('is refused before anything of it is opened', async () => {
    const environment = { DATA_DIR: folder, PUBLIC_URL: 'https://tirelire.exemple.fr' };
    await expect(startDemonstration(environment, folder)).rejects.toThrow(/PUBLIC_URL/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('and production have a DATA_DIR each', async () => {
    const serve = () => {
      const offered = { DATA_DIR: folder, BANK_SOURCES: 'manual', CHATS: 'mattermost' };
      requireNoDemonstration(readConfiguration(offered, 'serve', folder));
    };
    serve();
    mkdirSync(join(folder, 'database/cluster/base'), { recursive: true });
    await expect(startDemonstration({ DATA_DIR: folder }, folder)).rejects.toThrow(
      /DATA_DIR .*n'est pas celle d'une démonstration/,
    );
    serve();
    mkdirSync(join(folder, 'demo'));
    expect(serve).toThrow(/DATA_DIR .* contient une démonstration/);
  });
});
