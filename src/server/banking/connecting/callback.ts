import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { NoContent } from '../../platform/http/documentation.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ReturnOutcome } from '../../providers/banks/connect.ts';
import { BankSourceError } from '../../providers/banks/port.ts';
import { listConnections } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { withNewLink } from '../links/acting.ts';
import { changeSecret, findLink } from '../links/queries.ts';
import { closingPage } from './closing-page.ts';
import { presenceOf } from './presence.ts';
import { readKept } from './reading.ts';
import { callbackPathOf, endSession, findSession, type RedirectSource } from './sessions.ts';

const ClosingPage = Type.Unsafe<string>({ content: { 'text/html': { schema: Type.String() } } });

/** Where a source sends the browser back to. */
export function callbackRoute(
  deps: BankingDeps,
  kind: string,
  source: RedirectSource,
): FastifyPluginAsyncTypebox {
  // The schema accepts every value, because a person who comes back must not get an error page.
  const anything = Type.Optional(Type.Unknown());
  const parameters = source.connect.callback.parameters.map((name) => [name, anything]);
  return async (app) => {
    app.get(
      callbackPathOf(kind, source),
      {
        config: { isPublic: true },
        schema: {
          summary: 'Le retour de la page de la banque',
          querystring: Type.Object(Object.fromEntries(parameters)),
          response: { 200: ClosingPage, 302: NoContent },
        },
      },
      async (request, reply) => {
        const end = await endOf(deps, kind, source, request).catch((error: unknown) => {
          request.log.error({ err: error }, 'a return from the bank broke off');
          return null;
        });
        if (!end) return reply.redirect(noticeUrl(deps, 'failed'));
        if (end.purpose === 'add') return reply.redirect(noticeUrl(deps, end.outcome));
        const page = closingPage(end.purpose, end.outcome, deps.configuration.publicUrl);
        return reply.headers(page.headers).send(page.html);
      },
    );
  };
}

/**
 * Ends the connect session that the nonce names; after `pending` it stays open. The outcome that the
 * address reports only chooses the sentence that is shown: the accounts themselves are read from the
 * source. Null for an unknown nonce, or one of another user of the source.
 */
async function endOf(
  deps: BankingDeps,
  kind: string,
  source: RedirectSource,
  request: FastifyRequest,
) {
  const query = textsOf(request.query);
  const { nonce, providerUserId, outcome } = source.connect.callback.read(query);
  const session = /^[a-z0-9-]{16,100}$/.test(nonce) ? await findSession(deps, kind, nonce) : null;
  if (!session) return null;
  const { user_id: userId, purpose } = session;
  if (providerUserId !== null) {
    const link = await findLink(deps, userId, kind);
    if (providerUserId !== link?.providerUserId) return null;
  }
  if (outcome === 'pending') return { purpose, outcome };
  const isFirst = await endSession(deps, userId, nonce);
  if (outcome !== 'done' || !isFirst) return { purpose, outcome };
  return { purpose, outcome: await complete(deps, [kind, source], session, query, request) };
}

/** For a source with this step: exchanges the return for a secret, stores it, and reads with it. */
async function complete(
  deps: BankingDeps,
  [kind, source]: [string, RedirectSource],
  {
    user_id: userId,
    connection_id: connectionId,
  }: { user_id: string; connection_id: number | null },
  query: Record<string, string>,
  request: FastifyRequest,
): Promise<ReturnOutcome> {
  const exchange = source.connect.complete;
  if (!exchange) return 'done';
  const connections = connectionId === null ? [] : await listConnections(deps, userId);
  const repaired = connections.find(({ id }) => id === connectionId)?.source_id ?? null;
  const presence = presenceOf(request);
  try {
    const { keep, afterwards } = await withNewLink(deps, userId, [kind, source], (link) =>
      exchange(link, query, presence, repaired),
    );
    await changeSecret(deps, userId, kind, keep);
    await afterwards?.().catch((error: unknown) => {
      request.log.warn({ err: error }, 'what a renewed consent replaced was not closed');
    });
  } catch (error) {
    if (error instanceof BankSourceError && error.kind === 'no-accounts') return 'no-accounts';
    throw error;
  }
  await readKept(deps, userId, kind, presence);
  return 'done';
}

/** The parameters that are texts. Of a repeated one, the first. */
function textsOf(query: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(Object(query)).flatMap(([name, value]) => {
      const one: unknown = Array.isArray(value) ? value[0] : value;
      return typeof one === 'string' ? [[name, one]] : [];
    }),
  );
}

const notices = {
  done: 'bank-added',
  pending: 'bank-pending',
  cancelled: 'bank-cancelled',
  failed: 'bank-failed',
  'no-accounts': 'bank-no-accounts',
} as const satisfies Record<ReturnOutcome, string>;

function noticeUrl(deps: Pick<Platform, 'configuration'>, outcome: ReturnOutcome): string {
  return `${deps.configuration.publicUrl}/?notice=${notices[outcome]}`;
}
