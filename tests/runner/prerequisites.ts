import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { findChromium, findPostgres, findWindowlessChromium } from './programs.ts';

/**
 * Chromium and PostgreSQL are needed for two parts of the tests. As root on Debian they are
 * installed; elsewhere the answer is the one line that says what to install.
 */
export function missingPrerequisites(): string | null {
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    const missing = listMissing();
    if (missing.length > 0) install(missing);
    // Nothing is missing without it: the tests take longer.
    if (!process.env.CHROMIUM_PATH && findWindowlessChromium() === findChromium()) {
      install(['chromium-headless-shell']);
    }
  }
  const left = listMissing();
  return left.length === 0
    ? null
    : `npm test needs ${left.join(' and ')}: install ${left.join(' and ')} with your system's package manager, or name them in CHROMIUM_PATH and POSTGRES_BIN.`;
}

/** Debian's package names. */
function listMissing(): string[] {
  return [...(findChromium() ? [] : ['chromium']), ...(findPostgres() ? [] : ['postgresql'])];
}

function install(packages: string[]): void {
  process.stdout.write(`Installing ${packages.join(' and ')} with apt-get…\n`);
  apt(['update', '-q']);
  apt(['install', '-y', '-q', ...packages]);
}

function apt(args: string[]): void {
  const { status, stdout, stderr } = spawnSync('apt-get', args, {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status !== 0) process.stderr.write(`${stdout}\n${stderr}\n`);
}
