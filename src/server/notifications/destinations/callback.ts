import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { lockUser } from '../../identity/users/queries.ts';
import { NoContent } from '../../platform/http/documentation.ts';
import type { Platform } from '../../platform/platform.ts';
import { ChatProviderError, type Installation } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { redeemState } from './authorization.ts';
import { handleOf } from './handle.ts';
import { insertWorkspace, type WorkspaceRow } from './queries.ts';
import { withdrawUnlessUsed } from './withdrawal.ts';

/** Whatever is sent, repeated or long, a person comes back to a page and not to an error. */
const Value = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())]));
const Return = Type.Object({ code: Value, state: Value, error: Value });
type Return = Static<typeof Return>;

type Notice = 'slack-cancelled' | 'slack-failed' | 'slack-expired' | 'slack-organisation';

/** Where Slack sends the browser back to: docs.slack.dev/authentication/installing-with-oauth */
export function callbackRoute(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/messengers/slack/callback',
      {
        config: { isPublic: true },
        schema: {
          summary: "Le retour de la page d'autorisation de Slack",
          querystring: Return,
          response: { 303: NoContent },
        },
      },
      async ({ query, log }, reply) => {
        const { publicUrl } = deps.configuration;
        const end = await receive(deps, query).catch((error: unknown) => {
          if (error instanceof ChatProviderError) {
            log.warn({ code: error.code }, 'the code of an authorisation was refused');
            return noticeOf(error);
          }
          log.error({ err: error }, 'a return from the authorise page broke off');
          return { notice: 'slack-failed' } as const;
        });
        const search = 'notice' in end ? `notice=${end.notice}` : `token=${end.handle}`;
        return reply.redirect(`${publicUrl}/?${search}`, 303);
      },
    );
  };
}

/** Nobody is signed in here: the state says whose it is, and only that user can claim it later. */
async function receive(
  deps: NotificationsDeps,
  query: Return,
): Promise<{ notice: Notice } | { handle: string }> {
  const ownerId = await redeemState(deps, first(query.state));
  const error = first(query.error);
  if (error === 'access_denied') return { notice: 'slack-cancelled' };
  if (!ownerId) return { notice: 'slack-expired' };
  const code = first(query.code);
  if (error !== '' || code === '') return { notice: 'slack-failed' };
  const installation = await deps.chat.exchangeCode({ code, redirectUri: callbackUrl(deps) });
  const row = await keep(deps, ownerId, installation);
  if (row) return { handle: handleOf(row.id) };
  await withdrawUnlessUsed(deps, installation);
  return { notice: 'slack-expired' };
}

/** Null when the account was deleted while its user was away: nothing would ever end the token. */
function keep(
  deps: NotificationsDeps,
  ownerId: string,
  installation: Installation,
): Promise<WorkspaceRow | null> {
  const entry = { state: 'pending', now: deps.clock.now() } as const;
  return deps.database.sql.transaction().execute(async (sql) => {
    const user = await lockUser(sql, ownerId);
    return user && (await insertWorkspace(deps, sql, ownerId, installation, entry));
  });
}

/** Given at the authorise page and again at the exchange, letter for letter. */
export function callbackUrl({ configuration }: Pick<Platform, 'configuration'>): string {
  return `${configuration.publicUrl}/api/messengers/slack/callback`;
}

function noticeOf(error: ChatProviderError): { notice: Notice } {
  if (error.code === 'organisation_install') return { notice: 'slack-organisation' };
  const isSpent = error.code === 'invalid_code' || error.code === 'code_already_used';
  return { notice: isSpent ? 'slack-expired' : 'slack-failed' };
}

function first(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
