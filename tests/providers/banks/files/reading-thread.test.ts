import { expect, test } from 'vitest';
import { BankSourceError } from '../../../../src/server/providers/banks/failures.ts';
import { createFiles } from '../../../../src/server/providers/banks/files/adapter.ts';
import { text } from './statements.ts';

test('a file that takes too long or too much memory ends alone', async () => {
  const rows = `Date;Libellé;Solde\n${'20/11/2026;une ligne;12,00\n'.repeat(90_000)}`;
  const end = async (limits: { timeoutMs: number; memoryMiB: number }, bytes: Uint8Array) => {
    const reader = readerWith(limits);
    const ended = await reader.read(bytes, nothing).catch((error: unknown) => error);
    const next = await reader
      .read(text('Date;Libellé;Solde\n20/11/2026;a;1,00\n'), nothing)
      .catch(() => 0);
    reader.close();
    return { ended, next };
  };
  const late = await end({ timeoutMs: 1, memoryMiB: 128 }, text(rows));
  expect(late.ended).toMatchObject({
    ...{ kind: 'unreadable', sentence: 'Ce fichier est trop long à lire.' },
  });
  const large = await end({ timeoutMs: 20_000, memoryMiB: 8 }, text(rows));
  expect(large.ended).toBeInstanceOf(BankSourceError);
  const right = await end({ timeoutMs: 20_000, memoryMiB: 128 }, text(rows));
  expect(right.ended).toMatchObject({ format: 'csv', accounts: [{ balances: [{ minor: 1200 }] }] });
  expect(right.next).toMatchObject({ accounts: [{ balances: [{ minor: 100 }] }] });
});

test('one thread reads file after file, also behind one that was refused or too much', async () => {
  const reader = readerWith({ timeoutMs: 20_000, memoryMiB: 128 });
  const good = text('Date;Libellé;Solde\n20/11/2026;a;1,00\n');
  await expect(reader.read(text(''), nothing)).rejects.toThrow();
  expect(await reader.read(good, nothing)).toMatchObject({ accounts: [{}] });
  reader.close();
  expect(await reader.read(good, nothing)).toMatchObject({ accounts: [{}] });
  reader.close();
});

const nothing = { columns: null, sheet: null };

function readerWith(limits: { timeoutMs: number; memoryMiB: number }) {
  const { connect } = createFiles(limits);
  if (connect.kind !== 'file') throw new Error('no files');
  return connect.openReader();
}
