import { readFileSync } from 'node:fs';
import process from 'node:process';
import { inRoot } from './root.mjs';
import { runAside } from './run.mjs';

/** Installs the locked versions when what is installed is not what package-lock.json says. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  process.stderr.write('Installation des dépendances (versions verrouillées)…\n');
  const code = await npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0 || !isInstalled()) {
    process.stderr.write("L'installation n'a pas abouti : vérifiez l'accès au registre npm.\n");
    process.exit(1);
  }
}

/** npm writes the hidden lock file last: it is missing after an installation that was cut short. */
function isInstalled() {
  try {
    const wanted = packagesOf('package-lock.json');
    const installed = packagesOf('node_modules/.package-lock.json');
    return Object.entries(wanted).every(
      ([path, { version, optional }]) =>
        path === '' || installed[path]?.version === version || (optional && !installed[path]),
    );
  } catch {
    return false;
  }
}

function packagesOf(lockFile) {
  return JSON.parse(readFileSync(inRoot(lockFile), 'utf8')).packages;
}

/** The npm that runs this command when there is one, so that no second version is involved. */
function npm(args) {
  const script = process.env.npm_execpath;
  return script
    ? runAside(process.execPath, [script, ...args])
    : runAside(process.platform === 'win32' ? 'npm.cmd' : 'npm', args);
}
