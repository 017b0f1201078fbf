import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BankSourceError } from '../../../../src/server/providers/banks/failures.ts';
import { createThreadedReading } from '../../../../src/server/providers/banks/files/reading-threads.ts';
import { text } from './statements.ts';

test('a file that takes too long or too much memory ends alone', async () => {
  const rows = `Date;Libellé;Solde\n${'20/11/2026;une ligne;12,00\n'.repeat(90_000)}`;
  const end = async (limits: { timeoutMs: number; memoryMiB: number }) => {
    const read = createThreadedReading({ ...limits, idleMs: 10 });
    const ended = await read(text(rows), nothing).catch((error: unknown) => error);
    const next = await read(good, nothing).catch(() => 0);
    return { ended, next };
  };
  const late = await end({ timeoutMs: 1, memoryMiB: 128 });
  expect(late.ended).toMatchObject({
    ...{ kind: 'unreadable', sentence: 'Ce fichier est trop long à lire.' },
  });
  const large = await end({ timeoutMs: 20_000, memoryMiB: 8 });
  expect(large.ended).toBeInstanceOf(BankSourceError);
  const right = await end({ timeoutMs: 20_000, memoryMiB: 128 });
  expect(right.ended).toMatchObject({ format: 'csv', accounts: [{ balances: [{ minor: 1200 }] }] });
  expect(right.next).toMatchObject({ accounts: [{ balances: [{ minor: 100 }] }] });
});

test.for([10, 60_000])(
  'file after file is read, also behind one that was refused (%i)',
  async (idleMs) => {
    const read = createThreadedReading({ timeoutMs: 20_000, memoryMiB: 128, idleMs });
    await expect(read(text(''), nothing)).rejects.toThrow();
    const both = await Promise.all([read(good, nothing), read(good, nothing)]);
    // Longer than the thread waits in one of the cases.
    await sleep(50);
    for (const file of [...both, await read(good, nothing)]) {
      expect(file).toMatchObject({ accounts: [{ balances: [{ minor: 100 }] }] });
    }
  },
);

const nothing = { columns: null, sheet: null };
const good = text('Date;Libellé;Solde\n20/11/2026;a;1,00\n');
