import { ConfigurationFaults } from '../../platform/configuration/configuration.ts';
import { FolderInUse } from '../../platform/database/folder-lock.ts';
import { FolderOfOther } from '../../platform/database/folder-owner.ts';
import type { AppConfiguration } from '../../providers/configuration.ts';
import { knownFailure } from '../commands/failure-words.ts';
import { NoDatabase } from '../commands/opening.ts';
import { TaskRefusal } from '../commands/task.ts';
import { wholeLines } from '../whole-lines.ts';
import { type DoctorDeps, type Finding, fault, warning, well } from './finding.ts';
import { checkDisk, checkMemory, checkSettings } from './installation.ts';
import { checkAddress, checkOutsideClock, checkServices } from './network-checks.ts';

/** Checks everything that an installation needs, one after the other. */
export async function* examine(examined: DoctorDeps): AsyncGenerator<Finding> {
  const { configuration } = examined;
  yield well('Configuration', 'Complète et cohérente.');
  yield* checkSettings(configuration);
  yield* checkMemory(configuration);
  yield* await checkDisk(configuration);
  yield* runDatabaseChecks(examined);
  yield* await checkOutsideClock(examined);
  yield* await checkServices(examined);
  yield* await checkAddress(examined);
}

async function* runDatabaseChecks({ configuration, inspect }: DoctorDeps): AsyncGenerator<Finding> {
  try {
    for await (const line of wholeLines(inspect())) yield JSON.parse(line) as Finding;
  } catch (error) {
    yield error instanceof NoDatabase
      ? warning('Base de données', error.message, 'Démarrez Tirelire.')
      : fault('Base de données', wordsFor(error), mendFor(configuration, error));
  }
}

function wordsFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigurationFaults) return error.faults.join(' ');
  const known = knownFailure(error);
  if (known) return known.words;
  const { code } = error as Error & { code?: string };
  return error.message || code || error.name;
}

function mendFor({ database }: AppConfiguration, error: unknown): string {
  if (error instanceof TaskRefusal) {
    return 'Sans cette clé, les messageries, certaines banques et les validations en deux étapes sont inaccessibles.';
  }
  if (error instanceof FolderInUse)
    return "Un autre programme l'utilise : attendez qu'il ait fini.";
  if (error instanceof FolderOfOther)
    return 'Lancez npm run doctor sous le compte du service, par exemple avec « sudo -u ».';
  const known = knownFailure(error);
  if (known) return known.remedy;
  return database.engine === 'postgres'
    ? 'Vérifiez DATABASE_URL : adresse, nom, mot de passe, et que le serveur accepte cette machine.'
    : 'Vérifiez DATA_DIR et ses droits, et lancez cette commande sous le compte du service.';
}
