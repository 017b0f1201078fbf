import { type RefusalCode, refusals } from './error-codes.ts';

interface RefusalOptions {
  /** A French sentence fit to be shown, instead of the catalogue's. */
  message?: string;
  details?: { path: string; message: string }[];
  /** Seconds, sent as `Retry-After`. */
  retryAfter?: number;
  cause?: unknown;
}

/** A request that is answered with a stable code. `http/errors.ts` turns it into an answer, alone. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly statusCode: number;
  readonly details: { path: string; message: string }[] | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: RefusalCode, options: RefusalOptions = {}) {
    super(options.message ?? refusals[code].message, { cause: options.cause });
    this.name = 'Refusal';
    this.code = code;
    this.statusCode = refusals[code].statusCode;
    this.details = options.details;
    this.retryAfter = options.retryAfter;
  }
}
