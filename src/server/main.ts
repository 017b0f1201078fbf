import { flushCompileCache } from 'node:module';
import { cwd } from 'node:process';
import { runUntilSignal } from './app/lifetime.ts';
import { startServer } from './app/server.ts';
import { requireNoDemonstration } from './platform/configuration/demonstration-folder.ts';
import { readEnvironment } from './platform/configuration/environment.ts';
import { readConfiguration } from './providers/configuration.ts';

/** The production entry: `npm run serve`. */
await runUntilSignal(async () => {
  const configuration = readConfiguration(readEnvironment(cwd()), 'serve', cwd());
  requireNoDemonstration(configuration);
  const server = await startServer(configuration);
  server.services.log.info({ port: server.port, role: configuration.role }, 'ready');
  flushCompileCache();
  return server;
});
