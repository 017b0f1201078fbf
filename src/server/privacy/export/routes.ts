import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { DataExport } from '../../../shared/contract/exports.ts';
import { ownerOf, requireUser } from '../../identity/sessions/authentication.ts';
import type { NotificationsDeps } from '../../notifications/deps.ts';
import { exportPieces } from './pieces.ts';

export function exportRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/users/me/export',
      {
        onRequest: requireUser(deps),
        schema: {
          summary: 'Toutes les données de la personne connectée, à télécharger',
          response: { 200: DataExport },
        },
      },
      async (request, reply) => {
        const day = deps.clock.now().toISOString().slice(0, 10);
        reply.header('content-type', 'application/json; charset=utf-8');
        reply.header('content-disposition', `attachment; filename="tirelire-${day}.json"`);
        // The text of what the schema describes: Fastify passes a stream on as it is.
        const text: unknown = Readable.from(exportPieces(deps, ownerOf(request)));
        return text as DataExport;
      },
    );
  };
}
