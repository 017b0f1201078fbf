import { constants } from 'node:fs';
import { access, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs } from '../../../shared/calendar/durations.ts';
import { withFirstOfMonth } from '../../../shared/calendar/first-of-month.ts';
import {
  archiveFolders,
  fileNames,
  folderPath,
  isFolderName,
} from '../../banking/statements/folders/files.ts';
import { type AssignedFolder, listFolders } from '../../banking/statements/folders/queries.ts';
import type { TaskDeps } from '../commands/task.ts';
import { type Finding, fault, pluralized, warning, well } from './finding.ts';

const about = 'STATEMENTS_DIR';
const lately = 7 * dayMs;
const maxNamed = 5;

/** Whether files of statements are read where they are put, with the rights of this program. */
export async function checkStatementFolders(deps: TaskDeps): Promise<Finding[]> {
  const { statementsDir: root } = deps.configuration;
  const assigned = await listFolders(deps);
  if (root === null) {
    if (assigned.length === 0) return [];
    const words = `${pluralized(assigned.length, "dossier de relevés n'est plus lu", 'dossiers de relevés ne sont plus lus')} : la variable manque.`;
    return [fault(about, words, 'Donnez le dossier qui contient ceux des comptes.')];
  }
  const names = await readdir(root, { withFileTypes: true }).catch(() => null);
  if (!names) {
    const words = `${root} manque, ou ne peut pas être lu : aucun relevé n'est importé.`;
    return [fault(about, words, 'Créez ce dossier, ou donnez à Tirelire le droit de le lire.')];
  }
  const known = new Set(assigned.map(({ name }) => name));
  const unassigned = names
    .filter((one) => one.isDirectory() && isFolderName(one.name) && !known.has(one.name))
    .map(({ name }) => name);
  const now = deps.clock.now();
  const found = [
    ...(await Promise.all(assigned.map((folder) => checkFolder(root, folder, now)))).flat(),
    ...checkUnassigned(unassigned),
  ];
  return found.length > 0
    ? found
    : [well(about, `${pluralized(assigned.length, 'dossier', 'dossiers')} de relevés, en ordre.`)];
}

async function checkFolder(root: string, folder: AssignedFolder, now: Date): Promise<Finding[]> {
  const trouble = await troubleOf(root, folder.name);
  if (trouble) return [trouble];
  const inbox = join(root, folder.name);
  const found = await Promise.all([
    checkLeft(inbox, folder, now),
    checkRefused(inbox, folder, now),
  ]);
  return found.flatMap((finding) => finding ?? []);
}

async function checkLeft(
  inbox: string,
  { name, left_at: at, left_file: file }: AssignedFolder,
  now: Date,
): Promise<Finding | null> {
  if (!at || !file || !isLately(at, now)) return null;
  if (!(await filesIn(inbox)).includes(file)) return null;
  const words = `Le fichier « ${file} » de « ${name} » a été lu ou refusé le ${dayOf(at)}, et il est resté à sa place.`;
  const remedy = `Il attend dans ${inbox} : libérez de la place si ce disque est plein, et il sera rangé de lui-même.`;
  return warning(about, words, remedy);
}

async function checkRefused(
  inbox: string,
  { name, refused_at: at, refusal }: AssignedFolder,
  now: Date,
): Promise<Finding | null> {
  if (!at || !refusal || !isLately(at, now)) return null;
  const refused = join(inbox, archiveFolders.refused);
  // Those that their operator has corrected are there no more.
  const names = await filesIn(refused);
  if (names.every((one) => one.endsWith('.raison.txt'))) return null;
  const remedy = `Il attend dans ${refused}, avec la raison du refus. Corrigez-le, puis remettez-le dans « ${name} ».`;
  return warning(
    about,
    `Un fichier de « ${name} » a été refusé le ${dayOf(at)} : ${refusal}`,
    remedy,
  );
}

function isLately(at: Date, now: Date): boolean {
  return now.getTime() - at.getTime() <= lately;
}

function dayOf(at: Date): string {
  return withFirstOfMonth(dayText.format(at));
}

async function filesIn(folder: string): Promise<string[]> {
  return await fileNames(folder).catch(() => []);
}

const dayText = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'Europe/Paris' });

/** What keeps the files of an assigned folder from being read or set aside; null when nothing does. */
async function troubleOf(root: string, name: string): Promise<Finding | null> {
  const path = await folderPath(root, name).catch(() => undefined);
  if (path === undefined) {
    const words = `« ${name} » ne peut pas être atteint : ses relevés ne sont pas importés.`;
    return fault(about, words, `Donnez à Tirelire le droit de traverser ${root}.`);
  }
  if (path === null) {
    const words = `« ${name} » est affecté à un compte, et ce dossier manque ou est un lien.`;
    const remedy = `Créez-le, ou lancez : npm run statements -- release ${name}`;
    return fault(about, words, remedy);
  }
  const { R_OK, W_OK, X_OK } = constants;
  if (!(await allows(path, R_OK | X_OK))) {
    const words = `« ${name} » ne peut pas être lu : ses relevés ne sont pas importés.`;
    return fault(about, words, `Donnez à Tirelire le droit de lire ${path}.`);
  }
  if (!(await allows(path, W_OK))) {
    const words = `« ${name} » ne peut pas être modifié : ses relevés ne peuvent pas être rangés.`;
    return fault(about, words, `Donnez à Tirelire le droit d'écrire dans ${path}.`);
  }
  for (const aside of Object.values(archiveFolders).map((each) => join(path, each))) {
    const stats = await lstat(aside).catch(() => null);
    if (!stats) continue;
    if (stats.isDirectory() && (await allows(aside, W_OK | X_OK))) continue;
    const words = `${aside} n'est pas un dossier où Tirelire peut ranger les relevés.`;
    return fault(about, words, "Retirez-le, ou donnez à Tirelire le droit d'y écrire.");
  }
  return null;
}

async function allows(path: string, mode: number): Promise<boolean> {
  return await access(path, mode).then(
    () => true,
    () => false,
  );
}

function checkUnassigned(names: string[]): Finding[] {
  if (names.length === 0) return [];
  const named = names.slice(0, maxNamed).map((name) => `« ${name} »`);
  const others = names.length - named.length;
  const list = [
    ...named,
    ...(others > 0 ? [`et ${pluralized(others, 'autre', 'autres')}`] : []),
  ].join(', ');
  return [
    warning(
      about,
      `${pluralized(names.length, "dossier n'est affecté à aucun compte, et n'est pas lu", 'dossiers ne sont affectés à aucun compte, et ne sont pas lus')} : ${list}.`,
      'Lancez : npm run statements -- assign <dossier> <email> <banque> <compte>',
    ),
  ];
}
