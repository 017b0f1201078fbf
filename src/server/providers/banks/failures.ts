const failures = [
  'refused',
  'unavailable',
  'limited',
  'credentials',
  'page-limit',
  'unreadable',
  'unknown-connection',
  'unknown-user',
  'no-accounts',
] as const;
export type BankFailure = (typeof failures)[number];

export function isBankFailure(text: string | null): text is BankFailure {
  return failures.some((failure) => failure === text);
}

/**
 * What a source throws. `refused`: it answered no. `unavailable`: it did not answer, or said
 * "later". `limited`: a limit of calls was met, which changes no connection's state. `credentials`:
 * it no longer takes the person's. `unreadable`: a file that the person gave. `page-limit`: its page
 * about this connection was opened, or its button pressed, too often.
 * `unknown-connection`: no such connection of this user. `unknown-user`: it has forgotten the user,
 * who must be registered again. `no-accounts`: a consent without accounts. `sentence` (French) is shown
 * instead of the kind's own.
 */
export class BankSourceError extends Error {
  readonly kind: BankFailure;
  readonly retryAfterSeconds: number | undefined;
  readonly sentence: string | undefined;

  constructor(
    kind: BankFailure,
    message: string,
    options: {
      retryAfterSeconds?: number | undefined;
      sentence?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'BankSourceError';
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.sentence = options.sentence;
  }
}
