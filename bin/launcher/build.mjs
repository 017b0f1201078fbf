import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { ensureInstalled } from './install.mjs';
import { inRoot } from './root.mjs';
import { node24, runAside } from './run.mjs';

/** Everything the built web app depends on. */
const inputs = ['src/web', 'src/shared', 'vite.config.ts', 'package-lock.json'];

/** Builds the web app when one of its inputs is not what it was built from, and the empty database. */
export async function ensureBuilt({ always = false } = {}) {
  await buildWeb(always);
  const { version } = JSON.parse(readFileSync(inRoot(embedded, 'package.json'), 'utf8'));
  if (existsSync(inRoot(`dist/empty-cluster-${version}`))) return;
  // Its exit code is ignored: a first start without it only takes longer and needs more memory.
  await runAside(node24(), [inRoot('src/server/commands/make-empty-database.ts')]);
}

const embedded = 'node_modules/@electric-sql/pglite';

async function buildWeb(always) {
  const fingerprint = fingerprintOf(inputs);
  if (!always && fingerprint === builtFrom()) return;
  const vite = inRoot('node_modules/vite/bin/vite.js');
  if (!existsSync(vite)) {
    process.stderr.write(
      "L'application web est à construire, et les outils de développement ont été retirés de ce dossier. Arrêtez le service, puis lancez : npm run build\n",
    );
    process.exit(1);
  }
  await ensureInstalled({ withTools: true });
  process.stderr.write("Construction de l'application web…\n");
  const code = await runAside(node24(), [vite, 'build', '--logLevel', 'warn']);
  if (code !== 0) process.exit(code);
  mkdirSync(inRoot('dist'), { recursive: true });
  writeFileSync(inRoot('dist/built-from'), fingerprint);
}

function builtFrom() {
  try {
    statSync(inRoot('dist/web/index.html'));
    return readFileSync(inRoot('dist/built-from'), 'utf8');
  } catch {
    return null;
  }
}

function fingerprintOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesUnder)) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(inRoot(path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesUnder(path) {
  if (!statSync(inRoot(path)).isDirectory()) return [path];
  return readdirSync(inRoot(path))
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}
