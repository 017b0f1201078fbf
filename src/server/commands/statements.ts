import { argv, stdout } from 'node:process';
import { runCommand } from '../operations/commands/running.ts';
import { runTask } from '../operations/commands/task-client.ts';

/** `npm run statements -- <action> [<folder> <email> <bank> <account> [<IBAN>]]` */
await runCommand(async (configuration) => {
  for await (const line of runTask(configuration, 'statements', argv.slice(2))) stdout.write(line);
  return 0;
});
