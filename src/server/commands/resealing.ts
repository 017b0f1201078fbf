import { resealEverything } from '../secrets/rotation.ts';
import { type TaskParts, TaskRefusal } from './task.ts';

/** Brings what is sealed under the newest of the configured secrets. */
export async function* resealTask(parts: TaskParts): AsyncGenerator<string> {
  if (parts.secrets().length < 2) {
    throw new TaskRefusal(
      'Le service en marche ne connaît qu’une clé. Redémarrez-le avec la nouvelle, puis relancez cette commande.',
    );
  }
  const { resealed, unreadable } = await resealEverything(parts);
  yield `Valeurs passées sous la nouvelle clé : ${resealed}.\n`;
  if (unreadable > 0) {
    yield `Valeurs qu’aucune des clés n’ouvre : ${unreadable}. Ces accès seront à reconnecter.\n`;
  }
}
