import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { ownAccountRoutes } from '../accounts/own-routes.ts';
import { accountRoutes } from '../accounts/routes.ts';
import { bankRoutes } from '../banks/routes.ts';
import { deletionRoutes } from '../deletions/routes.ts';
import { deliveryRoutes } from '../deliveries/routes.ts';
import { exportRoutes } from '../exports/routes.ts';
import { messageRoutes } from '../messages/routes.ts';
import { messengerRoutes } from '../messengers/routes.ts';
import { operationRoutes } from '../operations/routes.ts';
import type { Parts } from '../parts.ts';
import { secondFactorRoutes } from '../second-factor/routes.ts';
import { sessionRoutes } from '../sessions/routes.ts';
import { userRoutes } from '../users/routes.ts';
import { workspaceRoutes } from '../workspaces/routes.ts';
import { readBodies } from './bodies.ts';
import { documentRoutes } from './documentation.ts';
import { answerErrors, answerFrameworkError } from './errors.ts';
import { observeRequests } from './observation.ts';
import { nearestProxies } from './proxies.ts';
import { apiHeaders } from './security.ts';
import { shareSerializers } from './serialization.ts';
import { compileValidators } from './validation.ts';

const routesOfEveryNoun = [
  userRoutes,
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
export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: parts.log as FastifyBaseLogger,
    // One line per request would cost more than the request: failures are logged by errors.ts.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    bodyLimit: 1024 * 1024,
    trustProxy: nearestProxies(parts.configuration.trustProxy),
    genReqId: () => parts.randomness.uuid(),
    frameworkErrors: answerFrameworkError,
  }).withTypeProvider<TypeBoxTypeProvider>();
  compileValidators(app);
  shareSerializers(app);
  answerErrors(app);
  observeRequests(app, parts);
  await app.register(async (api) => {
    readBodies(api);
    const headers = apiHeaders(parts.configuration);
    api.addHook('onSend', async (_request, reply) => {
      // The page of the documentation brings a policy of its own.
      reply.headers(reply.hasHeader('content-security-policy') ? headers.ofPages : headers.ofData);
      // The web app reads relative dates against this clock, which the demonstration moves.
      reply.header('date', parts.clock.now().toUTCString());
    });
    await documentRoutes(api);
    for (const routes of routesOfEveryNoun) await api.register(routes(parts), { prefix: '/api' });
  });
  return app;
}
