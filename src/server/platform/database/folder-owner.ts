import { existsSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The database belongs to another account of the machine. The message is in French. */
export class FolderOfOther extends Error {
  override name = 'FolderOfOther';

  constructor(folder: string, owner: number) {
    super(
      `Le dossier de données ${folder} est à un autre compte de cette machine (uid ${owner}) : ouvert par le vôtre, il ne s'ouvrirait plus par celui-là. Lancez cette commande sous son compte, par exemple avec « sudo -u ».`,
    );
  }
}

/**
 * Throws `FolderOfOther` where what this process makes in `folder` has another owner than `made`, which is in it:
 * whoever may do everything would leave files there that the owner of the others cannot open. Compared with a folder
 * made just now, because some network drives give all that is made on them to one account.
 */
export function requireSameOwner(folder: string, made: string): void {
  const owner = statSync(made).uid;
  const probe = mkdtempSync(join(folder, 'owner-'));
  const mine = statSync(probe).uid;
  rmdirSync(probe);
  if (mine !== owner) throw new FolderOfOther(folder, owner);
}

/**
 * The same where nothing of ours is in `folder` yet, for root alone: any other account that can write there can go on
 * doing so, whoever owns the folder, as with the volumes of containers.
 */
export function requireOwnFolder(folder: string): void {
  if (existsSync(folder) && process.geteuid?.() === 0) requireSameOwner(folder, folder);
}
