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
