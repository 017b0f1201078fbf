import type { IdentityDeps } from '../../identity/deps.ts';
import type { Queue } from '../../platform/queue/queue.ts';

/** What a task works with, in the running program or in a process of its own. */
export type TaskDeps = Pick<
  IdentityDeps,
  'configuration' | 'clock' | 'randomness' | 'log' | 'database' | 'vault' | 'passwords'
> & {
  /** The secrets in force, newest first. */
  secrets(): string[];
  /** Opened when first asked for: most tasks put nothing into it. */
  openQueue(): Promise<Queue>;
};

/**
 * What an operator asks of the data: by whichever process holds it, because the embedded database
 * has one. Its lines go to whoever asked. Throws `TaskRefusal` with words for the operator.
 */
export type Task = (deps: TaskDeps, args: string[]) => AsyncIterable<string>;

export class TaskRefusal extends Error {
  override name = 'TaskRefusal';
}
