/**
 * `npm run screenshots`: every page in every state, in both colour schemes and four widths, into
 * ./screenshots, with axe on each. `-- --references` takes the few reference images anew.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { saveMachine } from './machine.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const takesReferences = process.argv.includes('--references');

if (takesReferences) {
  mkdirSync(fileURLToPath(new URL('references', import.meta.url)), { recursive: true });
  saveMachine();
}
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/@playwright/test/cli.js',
    'test',
    takesReferences ? 'references' : 'screens',
    '--reporter=list',
    ...(takesReferences ? ['--update-snapshots=all'] : []),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(takesReferences ? {} : { SCREENSHOTS: 'screenshots' }) },
  },
);
process.exit(status ?? 1);
