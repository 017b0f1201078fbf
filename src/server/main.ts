import { flushCompileCache } from 'node:module';
import { cwd } from 'node:process';
import { readEnvironment } from './configuration/environment.ts';
import { readConfiguration } from './configuration/read.ts';
import { runUntilSignal } from './lifetime.ts';
import { startServer } from './server.ts';

/** The production entry: `npm run serve`. */
await runUntilSignal(async () => {
  const configuration = readConfiguration(readEnvironment(cwd()), 'serve', cwd());
  const server = await startServer(configuration);
  server.parts.log.info({ port: server.port, role: configuration.role }, 'ready');
  flushCompileCache();
  return server;
});
