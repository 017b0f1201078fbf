import { argv, stdout } from 'node:process';
import { runCommand } from '../operations/commands/running.ts';
import { rotateSecret } from '../operations/commands/secret-rotation.ts';
import { TaskRefusal } from '../operations/commands/task.ts';

await runCommand(async (configuration) => {
  if (argv.length > 2) throw new TaskRefusal('npm run rotate-secret, sans argument');
  for await (const line of rotateSecret(configuration)) stdout.write(line);
  return 0;
});
