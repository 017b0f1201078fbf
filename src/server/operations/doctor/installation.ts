import { stat, statfs } from 'node:fs/promises';
import type { Configuration } from '../../platform/configuration/configuration.ts';
import { appSecretFile } from '../../platform/configuration/secret.ts';
import { diskMargins } from '../../platform/database/disk.ts';
import { availableMemory, memorySettingFor } from '../../platform/database/memory-setting.ts';
import { protectionOf } from '../../platform/mail/smtp-address.ts';
import type { AppConfiguration } from '../../providers/configuration.ts';
import { type Finding, fault, warning, well } from './finding.ts';

/** Settings that an operator may regret one day. */
export function checkSettings(configuration: AppConfiguration): Finding[] {
  const { mail, operatorEmails, operatorName, publicUrl, trustProxy } = configuration;
  return [
    warningIf(
      !mail,
      'SMTP_URL',
      "Aucun email ne part : ni lien de mot de passe, ni avis d'échec.",
      'Renseignez SMTP_URL et MAIL_FROM. Sans eux : npm run user -- reset-link <email>.',
    ),
    warningIf(
      mail !== null && protectionOf(mail.smtpUrl) === 'insecure',
      'SMTP_URL',
      'Avec ?insecure=1, les emails partent en clair, et leurs liens donnent accès aux comptes.',
      'Retirez ?insecure=1 si le serveur de courrier offre STARTTLS, ou passez à smtps://.',
    ),
    warningIf(
      operatorEmails.length === 0,
      'OPERATOR_EMAILS',
      "Personne n'est averti des pannes, et personne n'a accès à la page d'administration.",
      'Donnez au moins une adresse.',
    ),
    warningIf(
      !operatorName,
      'OPERATOR_NAME',
      "Les mentions légales ne nomment pas l'exploitant.",
      'Donnez le nom de la personne ou de la société.',
    ),
    ...[configuration, ...configuration.bankSources, ...configuration.chats].flatMap(
      ({ warnings }) =>
        warnings.map(({ variable, words, remedy }) => warning(variable, words, remedy)),
    ),
    warningIf(
      publicUrl.startsWith('https://') && !trustProxy,
      'TRUST_PROXY',
      "Derrière un proxy, toutes les connexions semblent venir d'une même adresse.",
      'Mettez TRUST_PROXY=1 si le proxy écrit lui-même X-Forwarded-For.',
    ),
  ].flat();
}

function warningIf(applies: boolean, about: string, words: string, remedy: string): Finding[] {
  return applies ? [warning(about, words, remedy)] : [];
}

/** Says how the embedded database uses the memory there is. */
export function checkMemory({ database }: Configuration): Finding[] {
  if (database.engine === 'postgres') return [];
  const { name, availableMiB } = memorySettingFor(availableMemory());
  const words = `${availableMiB} Mio pour ce programme : la base intégrée`;
  if (name === 'fast') return [well('Mémoire', `${words} a toute la mémoire qu'il lui faut.`)];
  return availableMiB >= 500
    ? [well('Mémoire', `${words} en prend moins, et répond un peu moins vite.`)]
    : [warning('Mémoire', `${words} en demande 512.`, 'Donnez-lui 512 Mio, ou prenez PostgreSQL.')];
}

/**
 * Checks the free space of the embedded database's disk, and that other users of the machine cannot read the
 * data.
 */
export async function checkDisk(configuration: Configuration): Promise<Finding[]> {
  const { dataDir, database } = configuration;
  if (database.engine === 'postgres') return await privacyOf(appSecretFile(configuration));
  const room = await statfs(dataDir).catch(() => null);
  if (!room) return [];
  const megabytes = (room.bavail * room.bsize) / 1e6;
  const isRefusing = room.bavail * room.bsize < diskMargins.writing;
  return [
    megabytes > 500
      ? well(
          'Disque',
          `${(megabytes / 1000).toFixed(1).replace('.', ',')} Go libres sous ${dataDir}.`,
        )
      : fault(
          'Disque',
          `Il reste ${megabytes.toFixed(0)} Mo sous ${dataDir}${isRefusing ? " : plus rien n'est enregistré ni envoyé" : ''}.`,
          'Faites de la place.',
        ),
    ...(await privacyOf(appSecretFile(configuration))),
    ...(await privacyOf(database.folder)),
  ];
}

async function privacyOf(path: string): Promise<Finding[]> {
  const found = await stat(path).catch(() => null);
  if (!found || (found.mode & 0o077) === 0) return [];
  return [warning('Droits', `${path} est lisible par d'autres comptes.`, `chmod go-rwx ${path}`)];
}
