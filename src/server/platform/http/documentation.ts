import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { ErrorBody } from '../../../shared/contract/errors.ts';
import { type ErrorCode, httpErrors } from './api-error.ts';
import { storageErrors } from './storage-errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The errors of this route, besides those that all routes share. */
    errors?: readonly ErrorCode[];
    /** The code for a body that its schema rejects, instead of Invalid_Request. */
    invalidBody?: ErrorCode;
    /** The route works without a session. */
    isPublic?: boolean;
    /** The media type of a body that is read as bytes, by no schema. */
    rawBody?: string;
  }
}

export const NoContent = Type.Null({ description: 'Sans contenu' });

/** The body of a 202: the JSON `null`. A schema of type null would be documented as no body. */
export const Accepted = Type.Unsafe<null>({
  enum: [null],
  description: 'Accepté, la suite se fait en arrière-plan',
});

/**
 * Serves the documentation that follows from the routes' schemas: `/api/openapi.json`, and a page at
 * `/api/docs`. Register it before the routes: it adds to each of them the errors it can answer with,
 * and `sessionErrors` to those that require a session.
 */
export async function documentRoutes(
  app: FastifyInstance,
  { sessionErrors }: { sessionErrors: readonly ErrorCode[] },
): Promise<void> {
  app.addHook('onRoute', (route) => describeErrors(route, sessionErrors));
  await app.register(swagger, {
    transform: ({ schema, url, route }) => ({ schema: withRawBody(schema, route), url }),
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

/** The plugin's own policy would allow styles and fonts from any origin. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** In the documentation alone: a schema of the route would check the bytes. */
function withRawBody(schema: FastifySchema, { config }: RouteOptions): FastifySchema {
  return config?.rawBody ? { ...schema, consumes: [config.rawBody], body: {} } : schema;
}

function describeErrors(route: RouteOptions, sessionErrors: readonly ErrorCode[]): void {
  if (!route.schema || route.schema.hide || !route.url.startsWith('/api/')) return;
  const isPublic = route.config?.isPublic ?? false;
  const errors = new Set<ErrorCode>([
    ...(route.config?.errors ?? []),
    ...(isPublic ? [] : sessionErrors),
    ...(route.method === 'GET' ? [] : bodyErrors),
    httpErrors.Invalid_Request,
    httpErrors.Too_Many_Requests,
    httpErrors.Database_Unavailable,
    httpErrors.Internal_Error,
    storageErrors.Storage_Full,
  ]);
  route.schema = {
    ...route.schema,
    ...(isPublic ? {} : { security: [{ session: [] }] }),
    response: { ...answersOf(errors), ...Object(route.schema.response) },
  };
}

const bodyErrors = [httpErrors.Payload_Too_Large, httpErrors.Unsupported_Media_Type] as const;

/** One answer per status, whose description lists its codes. */
function answersOf(errors: Set<ErrorCode>): Record<number, TSchema> {
  const byStatus = Map.groupBy(errors, ({ statusCode }) => statusCode);
  return Object.fromEntries(
    [...byStatus].map(([status, named]) => [
      status,
      Type.Object(ErrorBody.properties, {
        description: named.map(({ code, message }) => `${code}\u202f: ${message}`).join('\n\n'),
        additionalProperties: false,
      }),
    ]),
  );
}
