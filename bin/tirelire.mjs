#!/usr/bin/env node
// Plain JavaScript for whatever Node is there (20 or later), importing nothing that is installed.
import process from 'node:process';
import { ensureBuilt } from './launcher/build.mjs';
import { ensureInstalled } from './launcher/install.mjs';
import { runOnNode24 } from './launcher/run.mjs';

/**
 * What each command runs, whether it shows the web app, and whether it is the operator's: such a one does without the
 * development packages, which an installation may have removed.
 */
const commands = {
  start: { entry: 'standins/demo/main.ts', web: true },
  serve: { entry: 'src/server/main.ts', web: true, operators: true },
  test: { entry: 'tests/runner/main.ts', web: false },
  'test:attack': { entry: 'tests/attacks/main.ts', web: true },
  'test:crash': { entry: 'tests/crash/main.ts', web: false },
  'test:fuzz': { entry: 'tests/fuzz/main.ts', web: false },
  'test:soak': { entry: 'tests/soak/main.ts', web: false },
  screenshots: { entry: 'tests/screens/main.ts', web: true },
  bench: { entry: 'bench/main.ts', web: true },
  'bench:deliveries': { entry: 'bench/deliveries/main.ts', web: false },
  'bench:messages': { entry: 'bench/messages/main.ts', web: false },
  'bench:million': { entry: 'bench/million/main.ts', web: false },
  'bench:texts': { entry: 'bench/texts/main.ts', web: false },
  doctor: { entry: 'src/server/commands/doctor.ts', web: false, operators: true },
  backup: { entry: 'src/server/commands/backup.ts', web: false, operators: true },
  restore: { entry: 'src/server/commands/restore.ts', web: false, operators: true },
  'rotate-secret': { entry: 'src/server/commands/rotate-secret.ts', web: false, operators: true },
  statements: { entry: 'src/server/commands/statements.ts', web: false, operators: true },
  user: { entry: 'src/server/commands/user.ts', web: false, operators: true },
  build: null,
};

const [name = '', ...rest] = process.argv.slice(2);
if (!(name in commands)) {
  process.stderr.write(`Commandes : ${Object.keys(commands).join(', ')}\n`);
  process.exit(2);
}
if (name === 'backup' && rest[0] === '-' && npmWritesToo()) {
  process.stderr.write(
    'npm écrit ses propres lignes dans cette sauvegarde, qui serait illisible. Faites-le taire : npm run --silent backup -- - > fichier\n',
  );
  process.exit(2);
}
const command = commands[name];
await ensureInstalled({ withTools: !command?.operators });
if (!command) await ensureBuilt({ always: true });
else {
  if (command.web) await ensureBuilt();
  process.exitCode = await runOnNode24([command.entry, ...rest]);
}

/** It names each script that it runs on standard output, unless it is silent. */
function npmWritesToo() {
  const { npm_lifecycle_event: script, npm_config_loglevel: level } = process.env;
  return script === 'backup' && level !== 'silent';
}
