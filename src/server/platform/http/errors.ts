import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BankProviderError } from '../../providers/banks/port.ts';
import { ChatProviderError } from '../../providers/chats/port.ts';
import { Refusal } from './api-error.ts';
import type { RefusalCode, refusals } from './error-codes.ts';
import { apiHeaders } from './security.ts';

/** The one place where what was thrown becomes an answer. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refusal = asRefusal(error, request);
    if (refusal.statusCode === 500) request.log.error({ err: error }, 'request failed');
    else if (refusal.statusCode > 500) request.log.warn(troubleOf(refusal), 'no answer to pass on');
    return answer(refusal, request, reply);
  });
  app.setNotFoundHandler((request, reply) => answer(new Refusal('Not_Found'), request, reply));
}

/** Somebody else's trouble, which a stack of ours would not explain: what was said, and why. */
function troubleOf(refusal: Refusal): { code: string; causes: string[] } {
  const causes: string[] = [];
  for (let cause = refusal.cause; cause instanceof Error; cause = cause.cause) {
    causes.push(cause.message);
  }
  return { code: refusal.code, causes };
}

/** What Fastify refuses before any route is found, such as `%` followed by no hexadecimal. */
export function answerFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  answer(asRefusal(error, request), request, reply);
}

const plainHeaders = apiHeaders({ publicUrl: '' }).ofData;

function answer(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter));
  // Where no route was found, nothing else has said them.
  if (!reply.hasHeader('x-content-type-options')) reply.headers(plainHeaders);
  reply.header('cache-control', 'no-store');
  return reply.code(refusal.statusCode).send({
    statusCode: refusal.statusCode,
    code: refusal.code,
    message: refusal.message,
    ...(refusal.details ? { details: refusal.details } : {}),
    ...(refusal.statusCode >= 500 ? { requestId: request.id } : {}),
  });
}

function asRefusal(error: FastifyError, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof BankProviderError) return bankRefusal(error);
  if (error instanceof ChatProviderError) return chatRefusal(error);
  if (error.validation) {
    const { invalidBody } = request.routeOptions.config;
    return new Refusal((error.validationContext === 'body' && invalidBody) || 'Invalid_Request', {
      details: error.validation.map((fault) => ({
        path: fault.instancePath || '/',
        message: fault.message ?? fault.keyword,
      })),
    });
  }
  return new Refusal(codeOfStatus(error.statusCode), { cause: error });
}

function codeOfStatus(statusCode: number | undefined): RefusalCode {
  if (statusCode === 413) return 'Payload_Too_Large';
  if (statusCode === 415) return 'Unsupported_Media_Type';
  if (statusCode === 404) return 'Not_Found';
  if (statusCode === 429) return 'Too_Many_Requests';
  return statusCode && statusCode < 500 ? 'Invalid_Request' : 'Internal_Error';
}

function bankRefusal(error: BankProviderError): Refusal {
  const code = {
    refused: 'Bank_Refused',
    unavailable: 'Bank_Unavailable',
    limited: 'Bank_Unavailable',
    'management-limit': 'Bank_Management_Limit',
    'unknown-item': 'Not_Found',
    'unknown-user': 'Bank_Refused',
  } as const satisfies Record<typeof error.kind, keyof typeof refusals>;
  return new Refusal(code[error.kind], { cause: error, ...retryAfter(error) });
}

function chatRefusal(error: ChatProviderError): Refusal {
  const code = error.kind === 'unavailable' ? 'Slack_Unavailable' : 'Slack_Refused';
  return new Refusal(code, { cause: error, ...retryAfter(error) });
}

function retryAfter(error: { retryAfterSeconds: number | undefined }): { retryAfter?: number } {
  return error.retryAfterSeconds === undefined ? {} : { retryAfter: error.retryAfterSeconds };
}
