import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import {
  addNotices,
  type ConnectPurpose,
  limitNotice,
  type ReturnOutcome,
} from '../../../shared/banks/returns.ts';
import { NoContent } from '../../platform/http/documentation.ts';
import type { Platform } from '../../platform/platform.ts';
import { isAboveLimit, isNearLimit } from '../connections/limits.ts';
import type { BankingDeps } from '../deps.ts';
import { refreshForPage } from '../refreshing/for-pages.ts';
import { findReadableLink } from '../source-links/queries.ts';
import { closingPage } from './closing-page.ts';
import {
  callbackPathOf,
  endConnectSession,
  findConnectSession,
  type RedirectSource,
} from './connect-sessions.ts';

const ClosingPage = Type.Unsafe<string>({ content: { 'text/html': { schema: Type.String() } } });

/** Where a source sends the browser back to. */
export function callbackRoute(
  deps: BankingDeps,
  source: string,
  bankSource: RedirectSource,
): FastifyPluginAsyncTypebox {
  // The schema accepts every value, because a person who comes back must not get an error page.
  const anything = Type.Optional(Type.Unknown());
  const parameters = bankSource.connect.callback.parameters.map((name) => [name, anything]);
  return async (app) => {
    app.get(
      callbackPathOf(source, bankSource),
      {
        config: { isPublic: true },
        schema: {
          summary: 'Le retour de la page de la banque',
          querystring: Type.Object(Object.fromEntries(parameters)),
          response: { 200: ClosingPage, 302: NoContent },
        },
      },
      async (request, reply) => {
        const query = textsOf(request.query);
        const end = await endSessionOf(deps, source, bankSource, query).catch((error: unknown) => {
          request.log.error({ err: error }, 'a return from the bank broke off');
          return null;
        });
        if (end?.outcome === 'to exchange') return reply.redirect(exchangeUrl(deps, source, query));
        if (!end) {
          return reply.redirect(noticeUrl(deps, { outcome: 'failed', isAboveLimit: false }));
        }
        if (end.purpose === 'add') return reply.redirect(noticeUrl(deps, end));
        const page = closingPage(end.purpose, end.outcome, deps.configuration.publicUrl);
        return reply.headers(page.headers).send(page.html);
      },
    );
  };
}

type SessionEnd =
  | { purpose: ConnectPurpose; outcome: ReturnOutcome; isAboveLimit: boolean }
  | { purpose: ConnectPurpose; outcome: 'to exchange' };

/**
 * Ends the connect session that the nonce names; after `pending`, and where something is to be
 * exchanged, it stays open. The outcome that the address reports only chooses the sentence that is
 * shown: the accounts themselves are read from the source. Null for an unknown nonce, or one of another
 * user of the source.
 */
async function endSessionOf(
  deps: BankingDeps,
  source: string,
  bankSource: RedirectSource,
  query: Record<string, string>,
): Promise<SessionEnd | null> {
  const { nonce, providerUserId, connectionId, outcome } = bankSource.connect.callback.read(query);
  const session = await findConnectSession(deps, source, nonce);
  if (!session) return null;
  const { user_id: userId, purpose } = session;
  if (providerUserId !== null) {
    const link = await findReadableLink(deps, userId, source);
    if (providerUserId !== link?.providerUserId) return null;
  }
  if (outcome === 'done' && bankSource.connect.complete) return { purpose, outcome: 'to exchange' };
  if (outcome !== 'pending') await endConnectSession(deps, userId, nonce);
  const isAdded = purpose === 'add' && (outcome === 'done' || outcome === 'pending');
  const added = isAdded && connectionId ? { source, sourceId: connectionId } : null;
  return {
    purpose,
    outcome,
    isAboveLimit: added !== null && (await hasNoRoom(deps, userId, added)),
  };
}

/**
 * Whether a bank that was just added has no place here. It may not be stored yet where there was one left:
 * the sources are then read first, and give it to one bank.
 */
async function hasNoRoom(
  deps: BankingDeps,
  userId: string,
  added: { source: string; sourceId: string },
): Promise<boolean> {
  if (!(await isNearLimit(deps, userId))) return false;
  await refreshForPage(deps, userId, {}).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'the banks were not read after one was added');
  });
  return await isAboveLimit(deps, userId, added);
}

/**
 * The web app's page that has the return exchanged (`returnRoutes`) under the session of its browser. The
 * code stands behind the `#`, where no server and no log sees it.
 */
function exchangeUrl(
  { configuration }: Pick<Platform, 'configuration'>,
  source: string,
  query: Record<string, string>,
): string {
  return `${configuration.publicUrl}/banque/retour/${source}#${new URLSearchParams(query)}`;
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

function noticeUrl(
  deps: Pick<Platform, 'configuration'>,
  { outcome, isAboveLimit }: { outcome: ReturnOutcome; isAboveLimit: boolean },
): string {
  const code = isAboveLimit ? limitNotice : addNotices[outcome];
  return `${deps.configuration.publicUrl}/?notice=${code}`;
}
