import { findOtherHolders } from '../../platform/database/secret-holders.ts';
import { countSealed } from '../../platform/vault/sealed-columns.ts';
import { writeBackup } from '../backup/writing.ts';
import { sealedColumns } from '../sealed-columns.ts';
import { type TaskDeps, TaskRefusal } from './task.ts';

/** Writes a backup for the configured secrets, which a restore wants to have again. */
export async function* backupTask(deps: TaskDeps): AsyncGenerator<string> {
  if (await isKeyOfAnother(deps)) {
    throw new TaskRefusal(
      "Cet APP_SECRET n'ouvre pas tout ce qui est chiffré, et le service en marche en a un autre : donnez le sien, sans lequel la sauvegarde ne se restaurerait pas.",
    );
  }
  yield* writeBackup(deps, deps.secrets());
}

/**
 * Without another process, values that nothing opens are those of a key that was lost. Where nothing is
 * encrypted yet, the next start of the other would not open such a backup either.
 */
async function isKeyOfAnother(deps: TaskDeps): Promise<boolean> {
  const others = await findOtherHolders(deps.database.sql, deps.secrets());
  if (others.length === 0) return false;
  const { current, older, unreadable } = await countSealed(deps, sealedColumns);
  return unreadable > 0 || current + older === 0;
}
