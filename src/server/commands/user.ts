import { argv, stdout } from 'node:process';
import { runCommand } from '../operations/commands/running.ts';
import { runTask } from '../operations/commands/task-client.ts';

/** `npm run user -- <action> [<email>]` */
await runCommand(async (configuration) => {
  for await (const line of runTask(configuration, 'user', argv.slice(2))) stdout.write(line);
  return 0;
});
