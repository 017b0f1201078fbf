import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type ErrorCode, type ErrorDetail, httpErrors } from './api-error.ts';
import { apiHeaders } from './security.ts';
import { storageErrors } from './storage-errors.ts';

/** Turns an error of one module into an answer; null for the errors of other modules. */
export type ErrorTranslation = (error: unknown) => ApiError | null;

/** Turns every error that a request throws into an answer, and an unknown address into a 404. */
export function answerErrors(app: FastifyInstance, translations: ErrorTranslation[] = []): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const translated = translations.map((translate) => translate(error)).find((one) => one);
    const apiError = translated ?? asApiError(error, request);
    if (apiError.statusCode === 500) request.log.error({ err: error }, 'request failed');
    // The causes are said once, when the database goes or its disk is full.
    else if (ofDatabase.has(apiError.code))
      request.log.warn({ code: apiError.code }, 'refused without the database');
    else if (apiError.statusCode > 500)
      request.log.warn(causesOf(apiError), 'no answer to pass on');
    return answer(apiError, request, reply);
  });
  app.setNotFoundHandler((request, reply) =>
    answer(new ApiError(httpErrors.Not_Found), request, reply),
  );
}

const ofDatabase = new Set([httpErrors.Database_Unavailable.code, storageErrors.Storage_Full.code]);

/** For errors of other services, where a stack trace of this program explains nothing. */
function causesOf(apiError: ApiError): { code: string; causes: string[] } {
  const causes: string[] = [];
  for (let cause = apiError.cause; cause instanceof Error; cause = cause.cause) {
    causes.push(cause.message);
  }
  return { code: apiError.code, causes };
}

/** Answers requests that Fastify rejects before routing, such as a `%` without two hexadecimal digits. */
export function answerFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  answer(asApiError(error, request), request, reply);
}

const plainHeaders = apiHeaders({ publicUrl: '' }).ofData;

function answer(apiError: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (apiError.retryAfter !== undefined) reply.header('retry-after', String(apiError.retryAfter));
  // Without a route, the hook that sets these headers did not run.
  if (!reply.hasHeader('x-content-type-options')) reply.headers(plainHeaders);
  reply.header('cache-control', 'no-store');
  return reply.code(apiError.statusCode).send({
    statusCode: apiError.statusCode,
    code: apiError.code,
    message: apiError.message,
    ...(apiError.details ? { details: apiError.details } : {}),
    ...(apiError.statusCode >= 500 ? { requestId: request.id } : {}),
  });
}

function asApiError(error: FastifyError, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  if (error.validation) {
    const { invalidBody } = request.routeOptions.config;
    return new ApiError(
      (error.validationContext === 'body' && invalidBody) || httpErrors.Invalid_Request,
      { details: detailsOf(error.validation) },
    );
  }
  return new ApiError(codeOfStatus(error.statusCode), { cause: error });
}

const maxDetails = 20;

type Fault = NonNullable<FastifyError['validation']>[number];

/** A value that fits no part of a union has an error for each of them: the first says enough. */
function detailsOf(faults: Fault[]): ErrorDetail[] {
  const byPath = Map.groupBy(faults.map(detailOf), ({ path }) => path);
  return [...byPath.values()].flatMap(([first]) => first ?? []).slice(0, maxDetails);
}

/** Which field, as a JSON pointer, and what is wrong with it, fit to be shown under it. */
function detailOf({ instancePath, keyword, params }: Fault): ErrorDetail {
  const missing = keyword === 'required' ? `/${params.missingProperty}` : '';
  const words = faultWords[keyword] ?? (() => "Cette valeur n'est pas acceptée.");
  return { path: instancePath + missing || '/', message: words(params) };
}

/** By ajv's keyword: ajv.js.org/api.html#error-parameters */
const faultWords: Record<string, ((params: Fault['params']) => string) | undefined> = {
  required: () => 'Ce champ est obligatoire.',
  minLength: ({ limit }) =>
    limit === 1 ? 'Remplissez ce champ.' : `${number(limit)} caractères au moins.`,
  maxLength: ({ limit }) => `${number(limit)} caractères au plus.`,
  minItems: ({ limit }) => `Choisissez-en ${number(limit)} au moins.`,
  maxItems: ({ limit }) => `Choisissez-en ${number(limit)} au plus.`,
  minimum: ({ limit }) => `${number(limit)} au moins.`,
  maximum: ({ limit }) => `${number(limit)} au plus.`,
  format: ({ format }) =>
    format === 'email' || format === 'address'
      ? "Cette adresse email n'est pas valable."
      : "Cette valeur n'a pas la forme attendue.",
  pattern: () => "Cette valeur n'a pas la forme attendue.",
  type: () => "Cette valeur n'est pas du type attendu.",
  uniqueItems: () => "Chaque valeur n'est donnée qu'une fois.",
};

const numbers = new Intl.NumberFormat('fr-FR');

function number(limit: unknown): string {
  return numbers.format(Number(limit));
}

function codeOfStatus(statusCode: number | undefined): ErrorCode {
  if (statusCode === 413) return httpErrors.Payload_Too_Large;
  if (statusCode === 415) return httpErrors.Unsupported_Media_Type;
  if (statusCode === 404) return httpErrors.Not_Found;
  if (statusCode === 429) return httpErrors.Too_Many_Requests;
  return statusCode && statusCode < 500 ? httpErrors.Invalid_Request : httpErrors.Internal_Error;
}
