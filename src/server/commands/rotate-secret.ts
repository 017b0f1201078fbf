import { stdout } from 'node:process';
import { runCommand } from './running.ts';
import { rotateSecret } from './secret-rotation.ts';

/** `npm run rotate-secret` */
await runCommand(async (configuration) => {
  for await (const line of rotateSecret(configuration)) stdout.write(line);
  return 0;
});
