import { stdout } from 'node:process';
import { runCommand } from '../operations/commands/running.ts';
import { rotateSecret } from '../operations/commands/secret-rotation.ts';

/** `npm run rotate-secret` */
await runCommand(async (configuration) => {
  for await (const line of rotateSecret(configuration)) stdout.write(line);
  return 0;
});
