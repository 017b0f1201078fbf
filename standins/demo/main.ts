import { flushCompileCache } from 'node:module';
import { cwd, stdout } from 'node:process';
import { runUntilSignal } from '../../src/server/app/lifetime.ts';
import { startServer } from '../../src/server/app/server.ts';
import { requireNoDemonstration } from '../../src/server/platform/configuration/demonstration-folder.ts';
import { readEnvironment } from '../../src/server/platform/configuration/environment.ts';
import { createLog } from '../../src/server/platform/log.ts';
import { readConfiguration } from '../../src/server/providers/configuration.ts';
import { startDemonstration } from './demonstration.ts';
import { missingServices } from './registry.ts';

/** `npm start`: the product, with stand-ins for the services it has no account at. */
await runUntilSignal(async () => {
  const environment = readEnvironment(cwd());
  const configuration = readConfiguration(environment, 'start', cwd());
  // A person reads this terminal: lines of JSON would bury the addresses.
  const log = createLog(environment.LOG_LEVEL ? configuration.logLevel : 'warn');
  if (missingServices(configuration).entries.length === 0) {
    requireNoDemonstration(configuration);
    const server = await startServer(configuration, { log });
    stdout.write(drawBox(['Tirelire est prête.', '', `Application   ${configuration.publicUrl}`]));
    flushCompileCache();
    return server;
  }
  const { url, applicationUrl, standins, stop } = await startDemonstration(environment, cwd(), {
    log,
  });
  stdout.write(
    drawBox([
      'Tirelire est prête, en démonstration : banques et messageries sont fictives.',
      '',
      `${addressLine('Application', applicationUrl)}   (commencez ici)`,
      `${addressLine('Démonstration', url)}   (avancez l'horloge pour recevoir un message)`,
      ...standins.flatMap(({ page }) => (page ? [addressLine(page.name, page.url)] : [])),
      addressLine('Emails', `${url}/mails`),
      '',
      'Pour arrêter : Ctrl+C',
    ]),
  );
  flushCompileCache();
  return { stop };
});

function addressLine(name: string, url: string): string {
  return `${name.padEnd(16)}${url}`;
}

/** Lines in a frame. */
function drawBox(lines: string[]): string {
  const width = Math.max(...lines.map((line) => line.length));
  const body = lines.map((line) => `│  ${line.padEnd(width)}  │`);
  const edge = '─'.repeat(width + 4);
  return `\n┌${edge}┐\n${body.join('\n')}\n└${edge}┘\n\n`;
}
