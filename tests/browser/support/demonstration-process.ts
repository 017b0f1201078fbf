import { flushCompileCache } from 'node:module';
import { cwd, stdout } from 'node:process';
import { runUntilSignal } from '../../../src/server/app/lifetime.ts';
import { readEnvironment } from '../../../src/server/platform/configuration/environment.ts';
import { createLog } from '../../../src/server/platform/log.ts';
import { startDemonstration } from '../../../standins/demo/demonstration.ts';
import { cheapPasswords } from '../../support/cheap-passwords.ts';

/** What `npm start` plays, but for the cost of a password's hash: nearly every test signs somebody up. */
await runUntilSignal(async () => {
  const options = { log: createLog('warn'), passwords: cheapPasswords() };
  const { stop } = await startDemonstration(readEnvironment(cwd()), cwd(), options);
  stdout.write('Pour arrêter : Ctrl+C\n');
  flushCompileCache();
  return { stop };
});
