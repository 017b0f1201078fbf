import { type Static, Type } from 'typebox';
import { Check } from 'typebox/schema';
import type { Randomness } from '../../platform/randomness.ts';
import { createVault, type Vault } from '../../platform/vault/vault.ts';

/**
 * A backup is compressed lines of JSON: this header, then for each table a line with its name and a
 * line for each row as PostgreSQL writes it, then a footer with the number of rows.
 */
export const Header = Type.Object({
  tirelire: Type.Literal('backup'),
  version: Type.Literal(1),
  /** ISO 8601, UTC: the time of the snapshot. */
  date: Type.String(),
  /** The last migration that was applied to the tables. */
  migration: Type.String(),
  /** A word sealed with each secret of that time. The secrets of a restore must open all of them. */
  sealed: Type.Array(Type.String()),
});
export type Header = Static<typeof Header>;

/** Of any name: a table that somebody else made is left out by the restore, once its line is recognized. */
export const TableLine = Type.Object({ table: Type.String() }, { additionalProperties: false });

export const Footer = Type.Object({ rows: Type.Integer() });

export class BackupError extends Error {
  override name = 'BackupError';
}

/** Throws `BackupError` when the first line is not the header of a backup. */
export function readHeader(line: string): Header {
  const header: unknown = parseLine(line);
  if (Check(Header, header)) return header;
  throw new BackupError(
    "Ce fichier n'est pas une sauvegarde que cette version de Tirelire sait lire.",
  );
}

export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new BackupError('La sauvegarde est abîmée : une de ses lignes est illisible.');
  }
}

/** Values that tell which secrets a backup needs, without containing them. */
export function keyCheckValues(secrets: string[], date: string, randomness: Randomness): string[] {
  return secrets.map((secret) =>
    createVault([secret], randomness).seal(word, additionalData(date)),
  );
}

/** Throws `BackupError` when one of the secrets of that time is not among `secrets`. */
export function checkKeys(
  { date, sealed }: Header,
  secrets: string[],
  randomness: Randomness,
): void {
  const vault = createVault(secrets, randomness);
  const missing = sealed.filter((value) => !isOpenedBy(vault, value, date)).length;
  if (missing > 0) throw new BackupError(missing < sealed.length ? lacksOne : isOther);
}

function isOpenedBy(vault: Vault, value: string, date: string): boolean {
  try {
    vault.open(value, additionalData(date));
    return true;
  } catch {
    return false;
  }
}

const isOther =
  "La clé ne correspond pas : cette sauvegarde a été faite avec un autre APP_SECRET. Rien n'a été changé. Donnez la clé de ce moment-là (au besoin après la nouvelle). Si elle est perdue : --without-key, et il faudra relier de nouveau les messageries et certaines banques.";

const lacksOne =
  "Il manque une clé : cette sauvegarde a été faite quand APP_SECRET en contenait plusieurs. Rien n'a été changé. Donnez-les toutes : APP_SECRET=nouvelle,ancienne, ou une par ligne dans app-secret. Si l'ancienne est perdue : --without-key, et ce que « npm run rotate-secret » avait déjà repris avec la nouvelle s'ouvrira.";

const word = 'tirelire';

function additionalData(date: string): string {
  return `backups/${date}`;
}
