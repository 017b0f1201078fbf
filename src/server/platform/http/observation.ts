import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
} from 'fastify';
import { withLogContext } from '../log.ts';
import type { Platform } from '../platform.ts';

/** Counts every request by its route, and lets every line of log say which request it is about. */
export function observeRequests(app: FastifyInstance, { metrics, log }: Platform): void {
  app.addHook('onRequest', name);
  // Again: a body is read on events of the socket, which know nothing of what came before them.
  app.addHook('preValidation', name);
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, id: requestId } = request;
    const { statusCode: status, elapsedTime } = reply;
    const route = routeOptions.url ?? 'none';
    metrics.requestAnswered({ method, route, status, seconds: elapsedTime / 1000 });
    if (log.isLevelEnabled('debug')) {
      log.debug({ requestId, method, route, status, ms: Math.round(elapsedTime) }, 'answered');
    }
  });
}

function name(request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void {
  withLogContext({ requestId: request.id }, done);
}
