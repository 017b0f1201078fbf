import {
  findOtherHolders,
  holderLines,
  type SecretHolder,
  secretNumber,
} from '../../platform/database/secret-holders.ts';
import { resealEverything } from '../../platform/vault/sealed-columns.ts';
import { sealedColumns } from '../sealed-columns.ts';
import { type TaskDeps, TaskRefusal } from './task.ts';

/**
 * Seals all values under the newest of the configured secrets. The argument is the `secretNumber` of the one
 * that the operator's command was given: a running service may still seal with another one.
 */
export async function* resealTask(deps: TaskDeps, [meant]: string[] = []): AsyncGenerator<string> {
  const [newest = '', ...former] = deps.secrets();
  if (former.length === 0) {
    throw new TaskRefusal(
      "Le service en marche ne connaît qu'une clé. Redémarrez-le avec la nouvelle, puis relancez cette commande.",
    );
  }
  if (meant !== undefined && meant !== String(secretNumber(newest))) {
    throw new TaskRefusal(
      "Le service en marche chiffre encore avec une autre clé que la première de votre APP_SECRET. Redémarrez-le avec APP_SECRET=nouvelle,ancienne, puis relancez cette commande. Rien n'a été changé.",
    );
  }
  const others = await findOtherHolders(deps.database.sql, deps.secrets());
  if (others.length > 0) throw new TaskRefusal(restartFirst(others));
  const { resealed, unreadable } = await resealEverything(deps, sealedColumns);
  yield `Valeurs chiffrées avec la nouvelle clé : ${resealed}.\n`;
  if (unreadable > 0) {
    yield `Valeurs qu'aucune clé ne permet de lire : ${unreadable}. Ces accès seront à relier de nouveau.\n`;
  }
}

/** Values that these processes seal later would be lost when the former key is removed. */
function restartFirst(others: SecretHolder[]): string {
  return [
    'Des processus chiffrent encore avec une autre clé que la première de votre APP_SECRET :',
    ...holderLines(others),
    "Redémarrez-les avec APP_SECRET=nouvelle,ancienne, puis relancez cette commande. Rien n'a été changé.",
  ].join('\n');
}
