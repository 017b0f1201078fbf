import type { Randomness } from '../../platform/randomness.ts';
import { createVault } from '../../platform/vault/vault.ts';
import { BackupError, type Head } from './format.ts';

/** Shows which secrets a backup needs, without holding any. */
export function sealWord(secrets: string[], date: string, randomness: Randomness): string[] {
  return secrets.map((secret) => createVault([secret], randomness).seal(word, placeOf(date)));
}

/** Throws `BackupError` when one of the secrets of that time is not among `secrets`. */
export function checkKeys({ date, sealed }: Head, secrets: string[], randomness: Randomness): void {
  const vault = createVault(secrets, randomness);
  try {
    for (const value of sealed) vault.open(value, placeOf(date));
  } catch {
    throw new BackupError(
      'La clé ne correspond pas : cette sauvegarde a été faite avec un autre APP_SECRET. Rien n’a été changé. Donnez la clé de ce moment-là (au besoin après la nouvelle). Si elle est perdue : --without-key, et il faudra reconnecter Slack.',
    );
  }
}

const word = 'tirelire';

function placeOf(date: string): string {
  return `backups/${date}`;
}
