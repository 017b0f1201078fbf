import { readFileSync } from 'node:fs';
import process from 'node:process';
import { inRoot } from './root.mjs';
import { runAside } from './run.mjs';

/**
 * Installs the locked versions when what is installed is not what package-lock.json says. Without the tools, a folder
 * whose development packages were removed is left as it is: npm ci first deletes everything, also under a service that
 * runs from there.
 */
export async function ensureInstalled({ withTools }) {
  if (isInstalled({ withTools })) return;
  if (!withTools && isPruned()) {
    process.stderr.write(
      "Les dépendances de ce dossier sont celles d'une autre version. Arrêtez le service, puis lancez : npm ci && npm run build && npm prune --omit=dev\n",
    );
    process.exit(1);
  }
  process.stderr.write('Installation des dépendances (versions verrouillées)…\n');
  const code = await npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0 || !isInstalled({ withTools: true })) {
    process.stderr.write("L'installation n'a pas abouti : vérifiez l'accès au registre npm.\n");
    process.exit(1);
  }
}

/** npm writes the hidden lock file last: it is missing after an installation that was cut short. */
function isInstalled({ withTools }) {
  try {
    const wanted = packagesOf('package-lock.json');
    const installed = packagesOf('node_modules/.package-lock.json');
    return Object.entries(wanted).every(
      ([path, { version, optional, dev }]) =>
        path === '' ||
        (dev && !withTools) ||
        installed[path]?.version === version ||
        (optional && !installed[path]),
    );
  } catch {
    return false;
  }
}

/** Whether what is installed has no package of development. */
function isPruned() {
  try {
    return Object.values(packagesOf('node_modules/.package-lock.json')).every(({ dev }) => !dev);
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
