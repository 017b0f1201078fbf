import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { bankingErrorOf } from '../banking/errors.ts';
import { bankRoutes } from '../banking/routes.ts';
import { ownAccountRoutes } from '../identity/accounts/own-routes.ts';
import { accountRoutes } from '../identity/accounts/routes.ts';
import { identityErrors } from '../identity/errors.ts';
import { secondFactorRoutes } from '../identity/second-factor/routes.ts';
import { sessionRoutes } from '../identity/sessions/routes.ts';
import { userRoutes } from '../identity/users/routes.ts';
import { deliveryRoutes } from '../notifications/deliveries/routes.ts';
import { workspaceRoutes } from '../notifications/destinations/routes.ts';
import { chatErrorOf } from '../notifications/errors.ts';
import { messageRoutes } from '../notifications/messages/routes.ts';
import { messengerRoutes } from '../notifications/messengers/routes.ts';
import { operationRoutes } from '../operations/overview/routes.ts';
import { readBodies } from '../platform/http/bodies.ts';
import { documentRoutes } from '../platform/http/documentation.ts';
import { answerErrors, answerFrameworkError } from '../platform/http/errors.ts';
import { observeRequests } from '../platform/http/observation.ts';
import { nearestProxies } from '../platform/http/proxies.ts';
import { apiHeaders } from '../platform/http/security.ts';
import { shareSerializers } from '../platform/http/serialization.ts';
import { compileValidators } from '../platform/http/validation.ts';
import { deletionRoutes } from '../privacy/deletion/routes.ts';
import { exportRoutes } from '../privacy/export/routes.ts';
import { profileRoute } from './profile-route.ts';
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
  messageRoutes,
  workspaceRoutes,
  deliveryRoutes,
  bankRoutes,
  operationRoutes,
];

/** The API, under `/api`. It does not listen: the front hands requests over, tests inject them. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    // One line per request would cost more than the request: failures are logged by errors.ts.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    bodyLimit: 1024 * 1024,
    trustProxy: nearestProxies(services.configuration.trustProxy),
    genReqId: () => services.randomness.uuid(),
    frameworkErrors: answerFrameworkError,
  }).withTypeProvider<TypeBoxTypeProvider>();
  compileValidators(app);
  shareSerializers(app);
  answerErrors(app, [bankingErrorOf, chatErrorOf]);
  observeRequests(app, services);
  await app.register(async (api) => {
    readBodies(api);
    const headers = apiHeaders(services.configuration);
    api.addHook('onSend', async (_request, reply) => {
      // The page of the documentation brings a policy of its own.
      reply.headers(reply.hasHeader('content-security-policy') ? headers.ofPages : headers.ofData);
      // The web app reads relative dates against this clock, which the demonstration moves.
      reply.header('date', services.clock.now().toUTCString());
    });
    await documentRoutes(api, { sessionErrors });
    for (const routes of routesOfEveryModule)
      await api.register(routes(services), { prefix: '/api' });
  });
  return app;
}
