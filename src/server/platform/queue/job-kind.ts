/** A kind of background job. `Data` is what each job of it carries, as JSON. */
export interface JobKind<Data extends object> {
  /** Of its queue in the database. */
  name: string;
  settings: JobSettings;
  /** Never set: it carries the type alone. */
  data?: Data;
}

/** In pg-boss's words. A job is taken up again `expireInSeconds` after its worker fell silent. */
export interface JobSettings {
  expireInSeconds: number;
  retryLimit?: number;
  /** Seconds before the first retry; the delays grow with `retryBackoff`, up to `retryDelayMax`. */
  retryDelay?: number;
  retryDelayMax?: number;
  retryBackoff?: boolean;
  /** How long a finished job is kept. */
  deleteAfterSeconds: number;
}

/** Each module defines its own; `operations/jobs.ts` lists them all. */
export function defineJob<Data extends object>(name: string, settings: JobSettings): JobKind<Data> {
  return { name, settings };
}
