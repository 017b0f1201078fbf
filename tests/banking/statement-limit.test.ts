import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStatementOf } from '../../src/server/banking/statements/reading.ts';
import { createReadingLimit } from '../../src/server/banking/statements/reading-limit.ts';
import type { StatementFile } from '../../src/server/providers/banks/connect.ts';
import type { BankSource } from '../../src/server/providers/banks/port.ts';
import { type Application, startApplication } from '../support/application.ts';

let app: Application;
beforeAll(async () => {
  app = await startApplication();
});
afterAll(() => app.close());

/** Readings that go on until they are told to end. */
function heldReadings() {
  const ends: (() => void)[] = [];
  let running = 0;
  return {
    running: () => running,
    begun: () => ends.length,
    async read(): Promise<string> {
      running += 1;
      const end = Promise.withResolvers<void>();
      ends.push(end.resolve);
      await end.promise;
      running -= 1;
      return 'read';
    },
    end: (index: number) => ends[index]?.(),
  };
}

test('files of any number of people are read two at a time, the next when one ends', async () => {
  const held = heldReadings();
  const readings = ['ana', 'bo', 'eve'].map((owner) => readFor(owner, held));
  await expect.poll(() => held.begun()).toBe(2);
  held.end(0);
  await expect.poll(() => held.begun()).toBe(3);
  expect(held.running()).toBe(2);
  held.end(1);
  held.end(2);
  expect(await Promise.all(readings)).toMatchObject([{ file }, { file }, { file }]);
});

test('of one person a file is read at a time', async () => {
  const held = heldReadings();
  const first = readFor('ana', held);
  await expect(readFor('ana', held)).rejects.toMatchObject({ code: 'Statement_Busy' });
  await expect.poll(() => held.begun()).toBe(1);
  held.end(0);
  expect(await first).toMatchObject({ file });
  const next = readFor('ana', held);
  await expect.poll(() => held.begun()).toBe(2);
  held.end(1);
  expect(await next).toMatchObject({ file });
});

const file: StatementFile = { format: 'ofx', accounts: [], table: null };

function readFor(owner: string, held: ReturnType<typeof heldReadings>) {
  const source: BankSource = {
    ...{ name: 'Fichiers', note: '', credentials: 'person' },
    connect: {
      ...{ kind: 'file', steps: [], accept: '', maxBytes: 1 },
      read: () => held.read().then(() => file),
    },
    policy: { atPageLoad: false, beforeMessage: null },
    read: async () => ({ connections: [], accounts: [] }),
    removeConnection: async () => null,
  };
  const deps = { ...app.services, bankSources: new Map([['files', source]]) };
  return readStatementOf(deps, owner, 'files', new Uint8Array(), { columns: null, sheet: null });
}

test('one that too many wait for is refused at once, one that waits too long a moment later', async () => {
  const held = heldReadings();
  const limited = createReadingLimit({ running: 1, waiting: 1, waitMs: 20 });
  const first = limited(held.read);
  await expect.poll(() => held.begun()).toBe(1);
  const second = limited(held.read);
  await expect(limited(held.read)).rejects.toMatchObject({ code: 'Statement_Busy' });
  await expect(second).rejects.toMatchObject({ code: 'Statement_Busy' });
  // What has begun goes on, however long it takes.
  held.end(0);
  expect(await first).toBe('read');
  expect(held.begun()).toBe(1);
});

test('a file that cannot be read makes room for the next', async () => {
  const limited = createReadingLimit({ running: 1, waiting: 1 });
  const failing = limited(() => Promise.reject(new Error('as told')));
  await expect(failing).rejects.toThrow('as told');
  expect(await limited(async () => 'read')).toBe('read');
});
