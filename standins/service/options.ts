/** How every stand-in over HTTP is started. It serves this machine alone. */
export interface StandinOptions {
  /** 0, the default, takes a free one. */
  port?: number;
  clock: { now(): Date };
  /** Where the state outlives the process; null, the default, keeps it in memory. */
  stateFile?: string | null;
}
