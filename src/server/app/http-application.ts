import type {
  FastifyPluginAsyncTypebox,
  TypeBoxTypeProvider,
} from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HookHandlerDoneFunction,
  LogController,
} from 'fastify';
import { Me, MeQuery } from '../../shared/contract/users.ts';
import { bankingErrorOf } from '../banking/errors.ts';
import { bankRoutes } from '../banking/routes.ts';
import { accountRoutes, ownAccountRoutes } from '../identity/accounts/routes.ts';
import { identityErrors } from '../identity/errors.ts';
import { secondFactorRoutes } from '../identity/second-factor/routes.ts';
import { profileOf, recheckSession, requireUser } from '../identity/sessions/authentication.ts';
import { sessionRoutes } from '../identity/sessions/routes.ts';
import { networkOf } from '../identity/throttling/limits.ts';
import { readAccountState } from '../identity/users/account-state.ts';
import { userRoutes } from '../identity/users/routes.ts';
import { alertRoutes } from '../notifications/alerts/routes.ts';
import { balanceCommandRoutes } from '../notifications/balance-commands/routes.ts';
import { deliveryRoutes } from '../notifications/deliveries/routes.ts';
import { destinationRoutes } from '../notifications/destinations/routes.ts';
import { chatErrorOf } from '../notifications/errors.ts';
import { linkingRoutes } from '../notifications/linking/routes.ts';
import { presentMessenger } from '../notifications/messengers/presentation.ts';
import { previewRoutes } from '../notifications/messengers/preview-routes.ts';
import { pageOfMessengers } from '../notifications/messengers/queries.ts';
import { messengerRoutes } from '../notifications/messengers/routes.ts';
import { operatorPageRoutes } from '../operations/operator-page/routes.ts';
import { ApiError, httpErrors } from '../platform/http/api-error.ts';
import { readBodies } from '../platform/http/bodies.ts';
import { documentRoutes } from '../platform/http/documentation.ts';
import { answerErrors, answerFrameworkError } from '../platform/http/errors.ts';
import { compileValidators, shareSerializers } from '../platform/http/schemas.ts';
import { apiHeaders, dropForwardedPorts, nearestProxies } from '../platform/http/security.ts';
import { SlowReaderCounts } from '../platform/http/slow-reader-counts.ts';
import { SlowReaderError } from '../platform/http/slow-readers.ts';
import { storageErrorOf } from '../platform/http/storage-errors.ts';
import { withLogContext } from '../platform/log.ts';
import type { Platform } from '../platform/platform.ts';
import { deletionRoutes } from '../privacy/deletion/routes.ts';
import { exportRoutes } from '../privacy/export/routes.ts';
import type { Services } from './services.ts';

const sessionErrors = [identityErrors.Not_Signed_In, identityErrors.User_Not_Found];

const routesOfEveryModule = [
  userRoutes,
  profileRoute,
  sessionRoutes,
  accountRoutes,
  ownAccountRoutes,
  secondFactorRoutes,
  deletionRoutes,
  exportRoutes,
  messengerRoutes,
  previewRoutes,
  destinationRoutes,
  linkingRoutes,
  balanceCommandRoutes,
  deliveryRoutes,
  alertRoutes,
  bankRoutes,
  operatorPageRoutes,
];

/** The API, under `/api`. It does not listen itself: it is given the requests of the listener. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    // A line for each request would cost more than the request. Errors are logged by errors.ts.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    bodyLimit: 1024 * 1024,
    // On a busy machine routes may take longer to prepare than the usual ten seconds: it starts late, and
    // not never.
    pluginTimeout: 0,
    trustProxy: nearestProxies(services.configuration.trustProxy),
    genReqId: () => services.randomness.uuid(),
    frameworkErrors: answerFrameworkError,
  }).withTypeProvider<TypeBoxTypeProvider>();
  compileValidators(app);
  shareSerializers(app);
  app.addHook('onRequest', dropForwardedPorts);
  answerErrors(app, [
    bankingErrorOf,
    (error) => chatErrorOf(services, error),
    (error) => databaseErrorOf(services, error),
  ]);
  observeRequests(app, services);
  refuseUnread(app, services);
  await app.register(async (api) => {
    readBodies(api);
    const headers = apiHeaders(services.configuration);
    api.addHook('preHandler', recheckSession(services));
    api.addHook('onSend', async (_request, reply) => {
      // The documentation page has set a policy of its own.
      reply.headers(reply.hasHeader('content-security-policy') ? headers.ofPages : headers.ofData);
      // The web app computes relative dates from this clock, which the demonstration moves.
      reply.header('date', services.clock.now().toUTCString());
    });
    await documentRoutes(api, { sessionErrors });
    for (const routes of routesOfEveryModule)
      await api.register(routes(services), { prefix: '/api' });
  });
  return app;
}

function databaseErrorOf({ outage, database }: Platform, error: unknown): ApiError | null {
  const isOfOutage = outage.note(error);
  const storageError = storageErrorOf(error, database.engine);
  if (storageError || !isOfOutage) return storageError;
  return new ApiError(httpErrors.Database_Unavailable, { retryAfter: 5 });
}

/** The profile with its notifications is one call, as specified. It spans two modules. */
function profileRoute(services: Services): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/users/me',
      {
        onRequest: requireUser(services),
        schema: {
          summary: 'Le profil et ses notifications',
          querystring: MeQuery,
          response: { 200: Me },
        },
      },
      async (request) => {
        const user = profileOf(request);
        const [{ rows, next }, state] = await Promise.all([
          pageOfMessengers(services, user.id, request.query.messengersAfter ?? null),
          readAccountState(services, user.id),
        ]);
        return {
          ...user,
          ...state,
          messengers: rows.map((row) => presentMessenger(services, row)),
          messengersNext: next,
        };
      },
    );
  };
}

/** Measures every request by its route, and adds its id to the lines of the log. */
function observeRequests(app: FastifyInstance, { metrics, log }: Platform): void {
  app.addHook('onRequest', withRequestId);
  // Once more, because reading a body continues in events of the socket, which lose the context.
  app.addHook('preValidation', withRequestId);
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

/** Counts answers that were cut unread against the address that asked for them. */
function refuseUnread(app: FastifyInstance, { log }: Platform): void {
  const counts = new SlowReaderCounts();
  app.addHook('onRequest', async ({ ip, raw }, reply) => {
    const network = networkOf(ip);
    const retryAfter = counts.secondsLeft(network);
    if (retryAfter > 0) throw new ApiError(httpErrors.Too_Many_Requests, { retryAfter });
    reply.raw.once('close', () => {
      if (!(raw.socket.errored instanceof SlowReaderError)) return;
      counts.add(network);
      log.info({ network }, 'an answer that nobody read was cut');
    });
  });
}

function withRequestId(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  withLogContext({ requestId: request.id }, done);
}
