import { flushCompileCache } from 'node:module';
import { cwd, stdout } from 'node:process';
import { runUntilSignal } from '../../src/server/app/lifetime.ts';
import { startServer } from '../../src/server/app/server.ts';
import { readEnvironment } from '../../src/server/platform/configuration/environment.ts';
import { createLog } from '../../src/server/platform/log.ts';
import { readConfiguration } from '../../src/server/providers/configuration.ts';
import { startDemonstration } from './demonstration.ts';
import { framed } from './words.ts';

/** `npm start`: the product, with stand-ins for whoever has no credentials yet. */
await runUntilSignal(async () => {
  const environment = readEnvironment(cwd());
  const configuration = readConfiguration(environment, 'start', cwd());
  // A person reads this terminal: lines of JSON would bury the addresses.
  const log = createLog(environment.LOG_LEVEL ? configuration.logLevel : 'warn');
  if (configuration.bankSources.length > 0 && configuration.chats.length > 0) {
    const server = await startServer(configuration, { log });
    stdout.write(framed(['Tirelire est prête.', '', `Application   ${configuration.publicUrl}`]));
    flushCompileCache();
    return server;
  }
  const { url, standins, stop } = await startDemonstration(configuration, { log });
  stdout.write(
    framed([
      'Tirelire est prête, en démonstration : aucun compte n’est nécessaire.',
      '',
      `Application     ${configuration.publicUrl}`,
      `Démonstration   ${url}   (avancer l’horloge)`,
      ...(standins.chat ? [`Messagerie      ${standins.chat.url}`] : []),
      `Courrier        ${url}/mails`,
      '',
      'Pour arrêter : Ctrl+C',
    ]),
  );
  flushCompileCache();
  return { stop };
});
