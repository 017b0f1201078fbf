import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LauncherFolder, lockFile, makeLauncherFolder } from '../support/launcher-folder.ts';

let project: LauncherFolder;

beforeEach(() => {
  project = makeLauncherFolder();
  project.write('standins/demo/main.ts', "process.stdout.write('started: yes' as string);");
});
afterEach(() => project.remove());

async function outputOf(command: string): Promise<string> {
  const running = project.run(command);
  expect(await running.code).toBe(0);
  return running.output();
}

describe('npm start', () => {
  test('installs and builds on the first run, and neither on the second', async () => {
    const first = await outputOf('start');
    expect(first).toMatch(/npm ci.*vite build.*empty database.*started: yes/s);
    const second = await outputOf('start');
    expect(second).toBe('started: yes');
  });

  test('installs again when the locked versions have changed', async () => {
    await outputOf('start');
    project.write('package-lock.json', lockFile('2.0.0'));
    expect(await outputOf('start')).toContain('npm ci');
    expect(await outputOf('start')).not.toContain('npm ci');
  });

  test('installs again when an installation was cut short', async () => {
    await outputOf('start');
    project.write('node_modules/.package-lock.json', '{ "packages": {}');
    expect(await outputOf('start')).toContain('npm ci');
  });

  test('builds again when the web app has changed', async () => {
    await outputOf('start');
    project.write('src/web/main.tsx', 'second');
    expect(await outputOf('start')).toContain('vite build');
    expect(await outputOf('start')).not.toContain('vite build');
  });

  test('ends with the exit code of what it ran', async () => {
    project.write('standins/demo/main.ts', 'process.exit(7);');
    expect(await project.run('start').code).toBe(7);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'passes %s on and waits for the end',
    async (signal) => {
      project.write('standins/demo/main.ts', waitingFor(signal));
      const running = project.run('start');
      await running.printed('waiting');
      running.process.kill(signal);
      expect(await running.code).toBe(0);
      expect(running.output()).toContain(`ended by ${signal}`);
    },
  );

  test('leaves nothing running when it is killed itself', async () => {
    project.write('standins/demo/main.ts', waitingFor('disconnect'));
    const running = project.run('start');
    await running.printed('waiting');
    running.process.kill('SIGKILL');
    await running.printed('ended by disconnect');
  });
});

describe('where the development packages were removed', () => {
  beforeEach(async () => {
    await outputOf('start');
    project.write('package-lock.json', lockFile('1.0.0', '1.0.0'));
    project.write('node_modules/.package-lock.json', lockFile('1.0.0'));
    project.write('src/server/main.ts', "process.stdout.write('serving');");
  });

  test.each(['doctor', 'backup', 'restore', 'rotate-secret', 'statements', 'user'])(
    '%s installs nothing, which would delete the program of a running service',
    async (command) => {
      project.write(`src/server/commands/${command}.ts`, "process.stdout.write('done');");
      expect(await outputOf(command)).toBe('done');
    },
  );

  test('serve runs what was built, and asks for a build that is missing', async () => {
    expect(await outputOf('start')).toMatch(/npm ci.*vite build/s);
    project.write('node_modules/.package-lock.json', lockFile('1.0.0'));
    project.delete('node_modules/vite');
    expect(await outputOf('serve')).toBe('serving');
    project.write('src/web/main.tsx', 'second');
    const running = project.run('serve');
    expect(await running.code).toBe(1);
    expect(running.output()).toContain('npm run build');
    expect(running.output()).not.toContain('npm ci');
  });

  test('a program of another version is refused, and its packages are left there', async () => {
    project.write('package-lock.json', lockFile('2.0.0', '1.0.0'));
    const running = project.run('doctor');
    expect(await running.code).toBe(1);
    expect(running.output()).toMatch(/Arrêtez le service, puis lancez : npm ci/);
    expect(running.output()).not.toContain('Installation');
  });
});

test('a command of the operator installs all in a new folder', async () => {
  project.write('package-lock.json', lockFile('1.0.0', '1.0.0'));
  project.write('src/server/commands/doctor.ts', '');
  expect(await outputOf('doctor')).toContain('npm ci');
  project.write('package-lock.json', lockFile('2.0.0', '1.0.0'));
  expect(await outputOf('doctor')).toContain('npm ci');
});

describe('a backup to standard output', () => {
  beforeEach(() => project.write('src/server/commands/backup.ts', "process.stdout.write('rows');"));

  test('holds nothing of an installation that comes first', async () => {
    const running = project.run('backup', { args: ['-'] });
    expect(await running.code).toBe(0);
    expect(running.output()).toContain('npm ci');
    expect(running.out()).toBe('rows');
  });

  test('is refused where npm writes lines of its own there', async () => {
    const variables = { npm_lifecycle_event: 'backup' };
    const running = project.run('backup', { args: ['-'], variables });
    expect(await running.code).toBe(2);
    expect(running.output()).toContain('npm run --silent backup -- -');
    expect(running.out()).toBe('');
    const silent = { ...variables, npm_config_loglevel: 'silent' };
    expect(await project.run('backup', { args: ['-'], variables: silent }).code).toBe(0);
    expect(await project.run('backup', { args: ['a file'], variables }).code).toBe(0);
  });
});

test('an unknown command is answered with those that exist', async () => {
  const running = project.run('launch');
  expect(await running.code).toBe(2);
  expect(running.output()).toContain('start, serve, test');
});

/** A server that ends by itself when it hears `event`. */
function waitingFor(event: string): string {
  return `
    const running = setInterval(() => {}, 1000);
    process.once('${event}', () => {
      clearInterval(running);
      process.stdout.write('ended by ${event}');
      if (process.connected) process.disconnect();
    });
    process.stdout.write('waiting');
  `;
}
