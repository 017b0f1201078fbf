import {
  openBackup,
  requireEmptyDatabase,
  restoreBackup,
} from '../../src/server/operations/backup/restoring.ts';
import type { OpenDatabase } from '../../src/server/platform/database/open.ts';

export async function linesOf(chunks: AsyncIterable<string>): Promise<string[]> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text.split('\n').slice(0, -1);
}

export async function restore(database: OpenDatabase, lines: string[]): Promise<number> {
  const backup = await openBackup(each(lines));
  await requireEmptyDatabase(database, backup.header);
  return (await restoreBackup(database, backup)).rows;
}

export async function* each(lines: string[]): AsyncGenerator<string> {
  yield* lines;
}
