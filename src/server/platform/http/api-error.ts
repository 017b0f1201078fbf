/** A stable code of the API, its HTTP status, and a French sentence that can be shown as it is. */
export interface ErrorCode {
  code: string;
  statusCode: number;
  message: string;
}

/** Each module defines the error codes of its routes. */
export function defineErrors<Code extends string>(
  errors: Record<Code, Omit<ErrorCode, 'code'>>,
): Record<Code, ErrorCode> {
  const defined = Object.entries<Omit<ErrorCode, 'code'>>(errors).map(
    ([code, error]) => [code, { code, ...error }] as const,
  );
  return Object.fromEntries(defined) as Record<Code, ErrorCode>;
}

/** A wrong value of a request: where it stands there, and a French sentence. */
export interface ErrorDetail {
  path: string;
  message: string;
}

interface ApiErrorOptions {
  /** A French sentence that replaces the one of the code. */
  message?: string;
  details?: ErrorDetail[];
  /** Seconds, sent as `Retry-After`. */
  retryAfter?: number;
  cause?: unknown;
}

/** Thrown to end a request with a stable code; `http/errors.ts` turns it into the answer. */
export class ApiError extends Error {
  readonly code: string;
  readonly statusCode: number;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfter: number | undefined;

  constructor({ code, statusCode, message }: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.message ?? message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.statusCode = statusCode;
    this.details = options.details;
    this.retryAfter = options.retryAfter;
  }
}

/** The errors that any route may answer with. */
export const httpErrors = defineErrors({
  Invalid_Request: { statusCode: 400, message: "La demande n'est pas valide." },
  Not_Found: { statusCode: 404, message: "Cet élément n'existe pas ou plus." },
  Payload_Too_Large: { statusCode: 413, message: 'Le contenu envoyé est trop volumineux.' },
  Unsupported_Media_Type: { statusCode: 415, message: 'Le contenu doit être du JSON.' },
  Too_Many_Requests: {
    statusCode: 429,
    message: 'Trop de demandes en peu de temps. Réessayez dans un instant.',
  },
  Signature_Invalid: {
    statusCode: 401,
    message: 'Cet appel ne porte pas de signature valable.',
  },
  Database_Unavailable: {
    statusCode: 503,
    message: 'Vos données ne sont pas accessibles pour le moment. Réessayez dans un instant.',
  },
  Not_Ready: { statusCode: 503, message: 'Le service démarre. Réessayez dans un instant.' },
  Internal_Error: {
    statusCode: 500,
    message: "Une erreur s'est produite de notre côté. Réessayez dans un instant.",
  },
});
