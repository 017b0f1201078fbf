import type { IdentityDeps } from '../../identity/deps.ts';
import type { Queue } from '../../platform/queue/queue.ts';
import type { AppConfiguration } from '../../providers/configuration.ts';

/** The services of a task, in the running program or in a process of its own. */
export type TaskDeps = Pick<
  IdentityDeps,
  'clock' | 'randomness' | 'log' | 'database' | 'vault' | 'passwords'
> & {
  configuration: AppConfiguration;
  /** The secrets in force, newest first. */
  secrets(): string[];
  /** Opened by the first call, because most tasks insert no job. */
  openQueue(): Promise<Queue>;
};

/**
 * A command of the operator that works on the database, in the process that has it open. It yields
 * its output. Throws `TaskRefusal` with a message for the operator.
 */
export type Task = (deps: TaskDeps, args: string[]) => AsyncIterable<string>;

export class TaskRefusal extends Error {
  override name = 'TaskRefusal';
}
