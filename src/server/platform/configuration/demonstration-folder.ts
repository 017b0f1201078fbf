import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Configuration, ConfigurationFaults } from './configuration.ts';

/** What a demonstration keeps, beside an embedded database whose balances, messages and days are made up. */
export function demonstrationFolder({ dataDir }: Pick<Configuration, 'dataDir'>): string {
  return join(dataDir, 'demo');
}

/** Throws `ConfigurationFaults` where made-up balances would be told as real ones. */
export function requireNoDemonstration(configuration: Configuration): void {
  const { database, dataDir } = configuration;
  if (database.engine === 'postgres' || !existsSync(demonstrationFolder(configuration))) return;
  throw new ConfigurationFaults([
    `DATA_DIR (${dataDir}) contient une démonstration, dont les soldes et les jours sont fictifs : donnez un autre dossier.`,
  ]);
}

/** Throws `ConfigurationFaults` where a demonstration would begin on real balances. */
export function requireNoRealData(configuration: Configuration): void {
  const { database, dataDir } = configuration;
  if (database.engine === 'postgres' || existsSync(demonstrationFolder(configuration))) return;
  const cluster = join(database.folder, 'cluster');
  if (!existsSync(cluster) || readdirSync(cluster).length === 0) return;
  throw new ConfigurationFaults([
    `DATA_DIR (${dataDir}) contient une base qui n'est pas celle d'une démonstration : donnez un autre dossier, ou lancez « npm run serve ».`,
  ]);
}
