import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { ErrorBody } from '../../../shared/contract/errors.ts';
import { type RefusalCode, refusals } from './error-codes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What this route refuses beyond what every route of its kind can. */
    refusals?: readonly RefusalCode[];
    /** The code of a body that does not fit its schema, instead of Invalid_Request. */
    invalidBody?: RefusalCode;
    /** No session is asked for. */
    isPublic?: boolean;
  }
}

export const Nothing = Type.Null({ description: 'Sans contenu' });

/** The body of a 202: `null`, written out. A schema of type null would be documented as no body. */
export const Noted = Type.Unsafe<null>({ enum: [null], description: 'La suite se fait à part' });

/**
 * Serves what the routes' own schemas say: `/api/openapi.json`, and `/api/docs` for people. Register
 * it before the routes: each is completed with the refusals it can end in.
 */
export async function documentRoutes(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', describeRefusals);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tirelire',
        version: '0.1.0',
        description: "Vos soldes bancaires chaque matin dans votre messagerie d'équipe.",
      },
      servers: [{ url: '/' }],
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
  });
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: pagePolicy });
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}

/** The plugin's own would let styles and fonts come from anywhere. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function describeRefusals(route: RouteOptions): void {
  if (!route.schema || route.schema.hide || !route.url.startsWith('/api/')) return;
  const isPublic = route.config?.isPublic ?? false;
  const codes = new Set<RefusalCode>([
    ...(route.config?.refusals ?? []),
    ...(isPublic ? [] : (['Not_Signed_In', 'User_Not_Found'] as const)),
    ...(route.method === 'GET' ? [] : bodyRefusals),
    'Invalid_Request',
    'Internal_Error',
  ]);
  route.schema = {
    ...route.schema,
    ...(isPublic ? {} : { security: [{ session: [] }] }),
    response: { ...answersOf(codes), ...Object(route.schema.response) },
  };
}

const bodyRefusals = ['Payload_Too_Large', 'Unsupported_Media_Type'] as const;

/** One answer per status, whose description names the codes that end in it. */
function answersOf(codes: Set<RefusalCode>): Record<number, TSchema> {
  const byStatus = Map.groupBy(codes, (code) => refusals[code].statusCode);
  return Object.fromEntries(
    [...byStatus].map(([status, named]) => [
      status,
      Type.Object(ErrorBody.properties, {
        description: named.map((code) => `${code}\u202f: ${refusals[code].message}`).join('\n\n'),
        additionalProperties: false,
      }),
    ]),
  );
}
