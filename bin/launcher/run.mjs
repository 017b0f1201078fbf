import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import process from 'node:process';
import { inRoot, root } from './root.mjs';

/** Runs a TypeScript entry in place of this process, as far as signals and exit code go. */
export function runOnNode24(args) {
  if (!existsSync(node24())) {
    process.stderr.write(
      `Il faut Node.js 24 : celui de cette machine est le ${process.versions.node}, et celui de ce dossier a été retiré avec les outils de développement.\n`,
    );
    process.exit(1);
  }
  const child = spawn(node24(), args, {
    cwd: root,
    // A group of its own: the terminal's Ctrl-C reaches it once, through us. The channel tells it
    // when we are killed and can pass nothing on.
    detached: true,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { NODE_COMPILE_CACHE: inRoot('node_modules/.cache/tirelire/compiled'), ...process.env },
  });
  passSignalsTo(child);
  return exitCodeOf(child);
}

/** Runs a step of the preparation, which tells on standard error, and answers its exit code. */
export function runAside(program, args) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 2, 'inherit'] });
  return exitCodeOf(child);
}

/** This machine's Node when it is recent enough, else the one that was installed. */
export function node24() {
  const major = Number(process.versions.node.split('.')[0]);
  return major >= 24 ? process.execPath : inRoot('node_modules/node/bin/node');
}

/** npm passes Ctrl-C on as well as the terminal does: twice at the same moment is once. */
function passSignalsTo(child) {
  let last = -Infinity;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      const now = performance.now();
      if (now - last > 200) child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
      last = now;
    });
  }
  if (process.env.npm_lifecycle_event) endWithParent(child);
}

/** An npm that was killed can pass nothing on, and leaves this process to another parent. */
function endWithParent(child) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 500);
  watch.unref();
}

function exitCodeOf(child) {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`${error.message}\n`);
      resolve(1);
    });
    child.on('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}
