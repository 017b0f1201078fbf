import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { bankRoutes } from '../banks/routes.ts';
import { deliveryRoutes } from '../deliveries/routes.ts';
import { messengerRoutes } from '../messengers/routes.ts';
import type { Parts } from '../parts.ts';
import { sessionRoutes } from '../sessions/routes.ts';
import { userRoutes } from '../users/routes.ts';
import { workspaceRoutes } from '../workspaces/routes.ts';
import { answerErrors } from './errors.ts';
import { compileValidators } from './validation.ts';

/** The whole HTTP side: the API under `/api`. It does not listen: tests inject requests as well. */
export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: parts.log as FastifyBaseLogger,
    bodyLimit: 1024 * 1024,
    trustProxy: parts.configuration.trustProxy,
    genReqId: () => parts.randomness.uuid(),
  }).withTypeProvider<TypeBoxTypeProvider>();
  compileValidators(app);
  answerErrors(app);
  await app.register(
    async (api) => {
      api.addHook('onSend', async (_request, reply) => {
        reply.header('cache-control', 'no-store');
      });
      for (const routes of [
        userRoutes,
        sessionRoutes,
        messengerRoutes,
        workspaceRoutes,
        deliveryRoutes,
        bankRoutes,
      ]) {
        await api.register(routes(parts));
      }
    },
    { prefix: '/api' },
  );
  return app;
}
