import { stat, statfs } from 'node:fs/promises';
import type { Configuration } from '../../platform/configuration/configuration.ts';
import { appSecretFile } from '../../platform/configuration/secret.ts';
import { type Finding, fault, warning, well } from './finding.ts';

/** Room on the disk, and who else of this machine can read what lies there. */
export async function checkDisk(configuration: Configuration): Promise<Finding[]> {
  const { dataDir } = configuration;
  const room = await statfs(dataDir).catch(() => null);
  if (!room) return [];
  const megabytes = (room.bavail * room.bsize) / 1e6;
  return [
    megabytes > 500
      ? well('Disque', `${(megabytes / 1000).toFixed(1)} Go libres sous ${dataDir}.`)
      : fault(
          'Disque',
          `Il reste ${megabytes.toFixed(0)} Mo sous ${dataDir}.`,
          'Faites de la place.',
        ),
    ...(await privacyOf(appSecretFile(configuration))),
    ...(configuration.database.engine === 'embedded'
      ? await privacyOf(configuration.database.folder)
      : []),
  ];
}

async function privacyOf(path: string): Promise<Finding[]> {
  const found = await stat(path).catch(() => null);
  if (!found || (found.mode & 0o077) === 0) return [];
  return [warning('Droits', `${path} est lisible par d’autres comptes.`, `chmod go-rwx ${path}`)];
}
