/** A kind of background job. `Data` is what each job of it carries, as JSON. */
export interface JobKind<Data extends object> {
  /** The name of its queue in the database. */
  name: string;
  settings: JobSettings;
  /** Never set: it only carries the type. */
  data?: Data;
}

/** The options of pg-boss. A job is fetched again `expireInSeconds` after it was first fetched. */
export interface JobSettings {
  expireInSeconds: number;
  retryLimit?: number;
  /** Seconds before the first retry; the delays grow with `retryBackoff`, up to `retryDelayMax`. */
  retryDelay?: number;
  retryDelayMax?: number;
  retryBackoff?: boolean;
  /** Seconds for which a finished job is kept. */
  deleteAfterSeconds: number;
}

/** Each module defines its own; `operations/jobs.ts` lists them all. */
export function defineJob<Data extends object>(name: string, settings: JobSettings): JobKind<Data> {
  return { name, settings };
}

/** How long after its insertion a job may be tried for the last time, by the longest delays. */
export function triedForSeconds({ settings }: JobKind<object>): number {
  const { expireInSeconds, retryLimit = 0, retryDelay = 0, retryDelayMax = Infinity } = settings;
  let seconds = 0;
  for (let retry = 1; retry <= retryLimit; retry += 1) {
    const delay = settings.retryBackoff ? Math.max(retryDelay, 1) * 2 ** retry : retryDelay;
    seconds += expireInSeconds + Math.min(delay, retryDelayMax);
  }
  return seconds;
}
