import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import { BankId, BankItem } from '../../../shared/contract/banks.ts';
import {
  StatementAnnounced,
  StatementColumns,
  StatementNames,
  StatementPreview,
  type TableChoice,
} from '../../../shared/contract/statements.ts';
import { requesterOf, requireUser, userIdOf } from '../../identity/sessions/authentication.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { bytesOf, readRawBodies, wellFormed } from '../../platform/http/bodies.ts';
import { presentItemsOf } from '../connections/presentation.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrors } from '../errors.ts';
import { importStatement, previewStatement } from './importing.ts';

/** The files of the sources that take some. The body is the file; what is said of it is in the query. */
export function statementRoutes(
  deps: BankingDeps,
  source: string,
  maxBytes: number,
): FastifyPluginAsyncTypebox {
  const errors = [
    httpErrors.Not_Found,
    httpErrors.Payload_Too_Large,
    bankingErrors.Statement_Unreadable,
    bankingErrors.Statement_Of_Known_Account,
    bankingErrors.Statement_Busy,
    bankingErrors.Too_Many_Banks,
    bankingErrors.Too_Many_Accounts,
  ];
  const Json = Type.Optional(Type.String({ maxLength: 8_000 }));
  const table = {
    columns: Json,
    sheet: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
  };
  return async (app) => {
    app.addHook('onRequest', requireUser(deps));
    app.addHook('onRequest', limitUploads());
    readRawBodies(app, maxBytes);

    app.post(
      `/banks/sources/${source}/previews`,
      {
        config: { errors, rawBody: 'application/octet-stream' },
        schema: {
          summary: 'Voir ce que dit un relevé, sans rien en garder',
          querystring: Type.Object({ ...table, names: Json, connection: Type.Optional(BankId) }),
          response: { 200: StatementPreview },
        },
      },
      async (request) => {
        const { connection: connectionId = null } = request.query;
        const [asked, names] = [askedOf(request.query), namesOf(request.query)];
        const given = { asked, names, connectionId };
        const bytes = bytesOf(request.body);
        return await previewStatement(deps, userIdOf(request), source, bytes, given);
      },
    );

    app.post(
      `/banks/sources/${source}/statements`,
      {
        config: { errors, rawBody: 'application/octet-stream' },
        schema: {
          summary: 'Importer un relevé',
          querystring: Type.Object({ ...table, names: Json, announced: Json }),
          response: { 201: Type.Array(BankItem) },
        },
      },
      async (request, reply) => {
        const requester = requesterOf(request);
        const asked = askedOf(request.query);
        const names = namesOf(request.query);
        const announced = readJson(StatementAnnounced, request.query.announced, '/announced');
        const given = { asked, names, announced };
        await importStatement(deps, requester, source, bytesOf(request.body), given);
        const key = { userId: requester.userId, source };
        return reply.code(201).send(await presentItemsOf(deps, key));
      },
    );
  };
}

/** Bodies wait in memory until they are whole: few of one person at once, in one process. */
const mostUploads = 2;

function limitUploads() {
  const running = new Map<string, number>();
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const owner = userIdOf(request);
    const count = running.get(owner) ?? 0;
    if (count >= mostUploads) throw new ApiError(bankingErrors.Statement_Busy);
    running.set(owner, count + 1);
    reply.raw.once('close', () => {
      const left = (running.get(owner) ?? 0) - 1;
      if (left > 0) running.set(owner, left);
      else running.delete(owner);
    });
  };
}

function askedOf({ columns, sheet }: { columns?: string; sheet?: number }): TableChoice {
  return { columns: readJson(StatementColumns, columns, '/columns'), sheet: sheet ?? null };
}

function namesOf({ names }: { names?: string }): StatementNames {
  return readJson(StatementNames, names, '/names') ?? [];
}

/** JSON in a query: the body is the file. Null when it is left out. */
function readJson<
  Schema extends typeof StatementColumns | typeof StatementNames | typeof StatementAnnounced,
>(schema: Schema, text: string | undefined, path: string) {
  if (text === undefined) return null;
  try {
    const value: unknown = JSON.parse(wellFormed(text));
    if (Check(schema, value)) return value;
  } catch {
    // Said below.
  }
  throw new ApiError(httpErrors.Invalid_Request, {
    details: [{ path, message: "Cette valeur n'a pas la forme attendue." }],
  });
}
