import { checkDatabase } from '../doctor/database-checks.ts';
import { backupTask } from './backing-up.ts';
import { resealTask } from './resealing.ts';
import { statementsTask } from './statement-folders.ts';
import type { Task } from './task.ts';
import { userTask } from './users.ts';

/** By the names in the addresses of the task server. */
export const tasks = {
  backup: backupTask,
  inspect: checkDatabase,
  reseal: resealTask,
  statements: statementsTask,
  user: userTask,
} satisfies Record<string, Task>;

export type TaskName = keyof typeof tasks;

export function isTaskName(name: string): name is TaskName {
  return Object.hasOwn(tasks, name);
}
