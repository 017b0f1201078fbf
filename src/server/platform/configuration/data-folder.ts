import { lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Configuration, ConfigurationFaults } from './configuration.ts';

/**
 * Throws `ConfigurationFaults` where the embedded database cannot have its folder, because something else is in
 * its place or in that of a folder above it.
 */
export function requireDataFolder({
  database,
  dataDir,
}: Pick<Configuration, 'database' | 'dataDir'>): void {
  if (database.engine !== 'embedded') return;
  const other = notFolderOn(dataDir);
  if (other === null) return;
  const through = other === dataDir ? '' : `passe par ${other}, qui `;
  throw new ConfigurationFaults([
    `DATA_DIR (${dataDir}) ${through}n'est pas un dossier : donnez un autre chemin.`,
  ]);
}

/** The highest part of the path that exists and is no folder: a file, or a link that leads nowhere. */
function notFolderOn(path: string): string | null {
  const above = dirname(path);
  const other = above === path ? null : notFolderOn(above);
  if (other !== null) return other;
  if (!lstatSync(path, { throwIfNoEntry: false })) return null;
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? null : path;
}
