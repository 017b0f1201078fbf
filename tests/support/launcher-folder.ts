import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';

/** A project that has only the launcher, in a folder whose name has a space. */
export interface LauncherFolder {
  write(path: string, content: string): void;
  delete(path: string): void;
  /** Runs a command of the launcher with a pretended npm, and collects what it prints. */
  run(command: string, given?: { args?: string[]; variables?: Record<string, string> }): Running;
  remove(): void;
}

interface Running {
  process: ChildProcess;
  output(): string;
  /** What of it went to standard output. */
  out(): string;
  code: Promise<number | null>;
  /** Resolves when `text` was printed. Throws when all ends without it. */
  printed(text: string): Promise<void>;
}

const bin = fileURLToPath(new URL('../../bin', import.meta.url));

export function makeLauncherFolder(): LauncherFolder {
  const folder = join(mkdtempSync(join(tmpdir(), 'tirelire-launcher-')), 'a folder');
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  cpSync(bin, join(folder, 'bin'), { recursive: true });
  write('package.json', '{ "type": "module" }');
  write('src/web/main.tsx', 'first');
  write('src/shared/text.ts', '');
  write('vite.config.ts', '');
  write('package-lock.json', lockFile('1.0.0'));
  write('src/server/commands/make-empty-database.ts', template);
  write('npm.mjs', pretendedNpm);
  mkdirSync(join(folder, 'tools'));
  symlinkSync(execPath, join(folder, 'tools/node'));
  return {
    write,
    delete: (path) => rmSync(join(folder, path), { recursive: true }),
    run: (command, { args = [], variables = {} } = {}) =>
      start(folder, [command, ...args], variables),
    remove: () => rmSync(dirname(folder), { recursive: true }),
  };
}

/** Of one package, and of a tool of development. */
export function lockFile(version: string, toolVersion?: string): string {
  const tool = toolVersion && { 'node_modules/tool': { version: toolVersion, dev: true } };
  return JSON.stringify({ packages: { '': {}, 'node_modules/thing': { version }, ...tool } });
}

const template = `
import { mkdirSync } from 'node:fs';
mkdirSync('dist/empty-cluster-1.2.3', { recursive: true });
process.stdout.write('empty database');
`;

/** Installs by copying the lock file, and a Vite that says that it ran. */
const pretendedNpm = `
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
process.stdout.write('npm ' + process.argv[2] + '\\n');
mkdirSync('node_modules/vite/bin', { recursive: true });
cpSync('package-lock.json', 'node_modules/.package-lock.json');
mkdirSync('node_modules/@electric-sql/pglite', { recursive: true });
writeFileSync('node_modules/@electric-sql/pglite/package.json', '{ "version": "1.2.3" }');
writeFileSync('node_modules/vite/bin/vite.js', \`
  import { mkdirSync, writeFileSync } from 'node:fs';
  mkdirSync('dist/web', { recursive: true });
  writeFileSync('dist/web/index.html', '');
  process.stdout.write('vite build\\\\n');
\`);
`;

function start(folder: string, words: string[], variables: Record<string, string>): Running {
  const child = spawn(execPath, [join(folder, 'bin/tirelire.mjs'), ...words], {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { npm_execpath: join(folder, 'npm.mjs'), PATH: join(folder, 'tools'), ...variables },
  });
  let output = '';
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
      for (const listener of listeners) listener();
    });
  }
  return {
    process: child,
    output: () => output,
    out: () => out,
    code: new Promise((resolve) => child.once('close', resolve)),
    printed: (text) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (output.includes(text)) resolve();
        };
        listeners.add(check);
        child.once('close', () => reject(new Error(`No "${text}" in: ${output}`)));
        check();
      }),
  };
}
