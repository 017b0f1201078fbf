import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { parisDayOf } from '../../../shared/calendar/wall-clock.ts';
import { DataExport } from '../../../shared/contract/exports.ts';
import { requireUser, userIdOf } from '../../identity/sessions/authentication.ts';
import type { NotificationsDeps } from '../../notifications/deps.ts';
import { jsonList } from '../../platform/http/json-list.ts';
import { balancePages, deliveryPages, readCurrent } from './queries.ts';

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
        const day = parisDayOf(deps.clock.now());
        reply.header('content-type', 'application/json; charset=utf-8');
        reply.header('content-disposition', `attachment; filename="tirelire-${day}.json"`);
        // The stream is the JSON that the schema describes; Fastify sends it unchanged.
        const text: unknown = Readable.from(exportPieces(deps, userIdOf(request)));
        return text as DataExport;
      },
    );
  };
}

type Histories = 'balances' | 'deliveries';

/** The JSON of a `DataExport` in pieces, because the histories do not fit into memory. */
async function* exportPieces(
  deps: Pick<NotificationsDeps, 'database' | 'clock' | 'chats' | 'bankSources'>,
  userId: string,
): AsyncGenerator<string> {
  const current: Omit<DataExport, Histories> = await readCurrent(deps, userId);
  yield JSON.stringify(current).slice(0, -1);
  yield* listOf('balances', balancePages(deps, userId));
  yield* listOf('deliveries', deliveryPages(deps, userId));
  yield '}\n';
}

async function* listOf<Name extends Histories>(
  name: Name,
  pages: AsyncIterable<DataExport[Name]>,
): AsyncGenerator<string> {
  yield `,"${name}":`;
  yield* jsonList(pages);
}
