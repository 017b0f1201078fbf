type NetworkErrorKind =
  | 'refused'
  | 'dns'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'too-large'
  | 'aborted'
  /** The address is none that may be called. */
  | 'blocked';

/**
 * A request without a usable answer. `phase` is `before` when nothing of the request was written, and
 * `after` when the peer may have received and executed it.
 */
export class NetworkError extends Error {
  readonly kind: NetworkErrorKind;
  readonly phase: 'before' | 'after';
  /** Of an answer that is too large. */
  readonly status: number | null;

  constructor(
    kind: NetworkErrorKind,
    phase: 'before' | 'after',
    origin: string,
    options: { cause?: unknown; status?: number } = {},
  ) {
    super(`${kind} ${phase} the request to ${origin} was written`, options);
    this.name = 'NetworkError';
    this.kind = kind;
    this.phase = phase;
    this.status = options.status ?? null;
  }
}

export function networkErrorOf(
  error: Error & { code?: string },
  phase: 'before' | 'after',
  origin: string,
): Error {
  // A header or path that cannot be written is a programming error, not a network error.
  if (error instanceof NetworkError || error.code === 'UND_ERR_INVALID_ARG') return error;
  return new NetworkError(kindOf(error.code ?? '', phase), phase, origin, { cause: error });
}

function kindOf(code: string, phase: 'before' | 'after'): NetworkErrorKind {
  if (timeouts.has(code)) return 'timeout';
  if (aborts.has(code)) return 'aborted';
  if (phase === 'after') return 'reset';
  if (code === 'EBLOCKED') return 'blocked';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'dns';
  if (/CERT|TLS|SSL|EPROTO|SIGNATURE|UNABLE_TO/.test(code)) return 'tls';
  return /^E[A-Z]*(REFUSED|UNREACH|ADDRNOTAVAIL|ACCES)$/.test(code) ? 'refused' : 'reset';
}

const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);
const aborts = new Set(['UND_ERR_ABORTED', 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED', 'ABORT_ERR']);
