import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

/** A Chromium of this machine: CHROMIUM_PATH, or one by its usual names. */
export function findChromium(): string | null {
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
  const known = [
    process.env.CHROMIUM_PATH ?? '',
    ...names.flatMap(inPath),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ];
  return known.find(isProgram) ?? null;
}

/**
 * A Chromium that has no window to draw, which is a fifth less work; distributions pack it beside the
 * whole one. That one does where it is missing, or was chosen by CHROMIUM_PATH.
 */
export function findWindowlessChromium(): string | null {
  const chosen = process.env.CHROMIUM_PATH ? null : inPath('chromium-headless-shell');
  return chosen?.find(isProgram) ?? findChromium();
}

/** The folder of a PostgreSQL server's programs; distributions keep them out of PATH. */
export function findPostgres(): string | null {
  const folders = [
    process.env.POSTGRES_BIN ?? '',
    ...(process.env.PATH ?? '').split(delimiter),
    ...versionsUnder('/usr/lib/postgresql'),
    ...versionsUnder('/opt/homebrew/opt'),
    '/usr/local/pgsql/bin',
  ];
  return folders.find((folder) => isProgram(join(folder, 'initdb'))) ?? null;
}

function inPath(name: string): string[] {
  return (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
}

/** Newest first. */
function versionsUnder(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const versions = readdirSync(folder).sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return versions.map((version) => join(folder, version, 'bin'));
}

function isProgram(path: string): boolean {
  if (path === '') return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
