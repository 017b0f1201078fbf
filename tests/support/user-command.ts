import type { Services } from '../../src/server/app/services.ts';
import { userTask } from '../../src/server/operations/commands/users.ts';

/** What `npm run user -- <args>` prints, run in the process of the application. */
export async function userCommand(services: Services, ...args: string[]): Promise<string> {
  const deps = { ...services, secrets: () => [], openQueue: async () => services.queue };
  let printed = '';
  for await (const text of userTask(deps, args)) printed += text;
  return printed;
}
