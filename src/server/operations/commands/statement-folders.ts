import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ibanFingerprint } from '../../banking/connections/fingerprints.ts';
import { fileNames, folderPath, isFolderName } from '../../banking/statements/folders/files.ts';
import {
  assignFolder,
  listFolders,
  releaseFolder,
} from '../../banking/statements/folders/queries.ts';
import { findCredentials } from '../../identity/users/queries.ts';
import { hasErrorCode } from '../../platform/error-code.ts';
import { momentWords } from '../../platform/moment-words.ts';
import { type Task, type TaskDeps, TaskRefusal } from './task.ts';
import { terminalText } from './terminal-text.ts';

const usage = `npm run statements -- list
npm run statements -- assign <dossier> <email> <banque> <compte> [IBAN]   importer les relevés de ce dossier dans un compte de cette personne
npm run statements -- release <dossier>                                    ne plus les importer ; le compte et son historique restent`;

/** Says which folder below STATEMENTS_DIR feeds which account of which person. */
export const statementsTask: Task = async function* (deps, [action = '', ...args]) {
  const root = deps.configuration.statementsDir;
  if (root === null) {
    throw new TaskRefusal(
      "STATEMENTS_DIR manque : donnez le dossier qui contient ceux des comptes. Un service en marche ne la lit qu'à son démarrage : redémarrez-le après l'avoir ajoutée.",
    );
  }
  if (action === 'list' && args.length === 0) yield* list(deps, root);
  else if (action === 'assign') yield await assign(deps, root, args);
  else if (action === 'release' && args.length === 1) yield await release(deps, args[0] ?? '');
  else throw new TaskRefusal(usage);
};

async function* list(deps: TaskDeps, root: string): AsyncGenerator<string> {
  const folders = await listFolders(deps);
  for (const folder of folders) {
    const { name, email, bank_name: bank, account_name: account } = folder;
    const marks = [
      (await folderPath(root, name)) ? null : 'dossier absent',
      folder.read_at ? `lu le ${momentWords(folder.read_at)}` : 'rien de lu pour le moment',
      folder.refused_at && `refusé le ${momentWords(folder.refused_at)} : ${folder.refusal}`,
      folder.left_at &&
        `« ${folder.left_file} » n'a pas pu être rangé le ${momentWords(folder.left_at)}`,
    ];
    const line = `${name}  ${email}  ${bank}/${account}  (${marks.filter(Boolean).join(' ; ')})`;
    yield `${terminalText(line)}\n`;
  }
  const assigned = new Set(folders.map(({ name }) => name));
  for (const entry of await readdir(root, { withFileTypes: true })) {
    if (!entry.isDirectory() || assigned.has(entry.name)) continue;
    yield `${terminalText(entry.name)}  sans compte\n`;
  }
}

async function assign(deps: TaskDeps, root: string, args: string[]): Promise<string> {
  const [name = '', email = '', bank = '', account = '', iban = null, ...more] = args;
  if (!email || !isText(bank) || !isText(account) || more.length > 0) throw new TaskRefusal(usage);
  if (!isFolderName(name)) {
    throw new TaskRefusal(`« ${name} » n'est pas le nom d'un dossier de STATEMENTS_DIR.`);
  }
  const user = await findCredentials(deps, email);
  if (!user) throw new TaskRefusal(`Personne n'a de compte avec l'adresse ${email}.`);
  const fingerprint = ibanFingerprint(user.id, iban);
  if (iban !== null && fingerprint === null) throw new TaskRefusal(`${iban} n'est pas un IBAN.`);
  if (iban !== null && isMistyped(iban)) {
    throw new TaskRefusal(`La clé de contrôle de ${iban} est fausse : vérifiez ses chiffres.`);
  }
  await mkdir(join(root, name), { mode: 0o770 }).catch((error: unknown) => {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
  });
  if (!(await folderPath(root, name))) {
    throw new TaskRefusal(`« ${name} » est un lien ou un fichier : il faut un dossier.`);
  }
  const known = (await listFolders(deps)).find((one) => one.name === name);
  const path = join(root, name);
  // A folder that was released, or whose person deleted the account, no longer says whose they are.
  const [first] = known?.user_id === user.id ? [] : await fileNames(path);
  if (first !== undefined)
    throw new TaskRefusal(terminalText(waitingWords(name, first, known?.email)));
  await assignFolder(deps, user.id, {
    name,
    bank_name: bank.trim(),
    account_name: account.trim(),
    iban_print: fingerprint,
  });
  return `Les relevés posés dans ${join(root, name)} vont au compte « ${account.trim()} » de ${email}.\n`;
}

/** Whether the check digits of an IBAN contradict the others: rearranged, it is 1 modulo 97 (ISO 13616). */
function isMistyped(number: string): boolean {
  const iban = number.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
  // A French number without its country has none of these digits.
  if (!/^[A-Z]{2}/.test(iban)) return false;
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((sign) => Number.parseInt(sign, 36));
  return BigInt(digits.join('')) % 97n !== 1n;
}

function waitingWords(name: string, file: string, email: string | undefined): string {
  return email
    ? `Des relevés de ${email} attendent encore dans « ${name} » (« ${file} ») : déplacez-les d'abord.`
    : `Des fichiers attendent déjà dans « ${name} » (« ${file} »), et rien ne dit à qui ils sont : déplacez-les d'abord, puis remettez-y ceux de cette personne une fois le dossier affecté.`;
}

function isText(text: string): boolean {
  return text.trim() !== '' && text.length <= 100 && !text.includes('\u0000');
}

async function release(deps: TaskDeps, name: string): Promise<string> {
  if (!(await releaseFolder(deps, name))) throw new TaskRefusal(`« ${name} » n'a pas de compte.`);
  return `Les relevés de « ${name} » ne sont plus lus.\n`;
}
