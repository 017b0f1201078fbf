import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { NoContent } from '../../platform/http/documentation.ts';
import type { Platform } from '../../platform/platform.ts';
import type { BankingDeps } from '../deps.ts';
import { endVisit, findBankUser, findVisit } from '../links/queries.ts';
import { closingPage } from './closing-page.ts';

/** Whatever is sent: a person who comes back must not meet an error page. */
const Value = Type.Optional(Type.Unknown());

const Return = Type.Object({
  context: Value,
  user_uuid: Value,
  item_id: Value,
  success: Value,
  step: Value,
});
type Return = Static<typeof Return>;

const ClosingPage = Type.Unsafe<string>({ content: { 'text/html': { schema: Type.String() } } });

export type VisitOutcome = 'done' | 'pending' | 'cancelled' | 'failed';

/** Where Bridge sends the browser back to: docs.bridgeapi.io/docs/end-of-the-connect-flow */
export function callbackRoute(deps: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/bridge/callback',
      {
        config: { isPublic: true },
        schema: {
          summary: 'Le retour de la page de la banque',
          querystring: Return,
          response: { 200: ClosingPage, 302: NoContent },
        },
      },
      async ({ query, log }, reply) => {
        const visit = await claimVisit(deps, query).catch((error: unknown) => {
          log.error({ err: error }, 'a return from the bank broke off');
          return null;
        });
        const outcome = outcomeOf(query);
        if (!visit) return reply.redirect(noticeUrl(deps, 'failed'));
        if (visit.purpose === 'add') return reply.redirect(noticeUrl(deps, outcome));
        const page = closingPage(visit.purpose, outcome, deps.configuration.publicUrl);
        return reply.headers(page.headers).send(page.html);
      },
    );
  };
}

/**
 * Bridge signs nothing: the nonce says whose trip this was, and its end is believed only as far as
 * a sentence. An unfinished one (`pending`) may come back once more.
 */
async function claimVisit(deps: BankingDeps, query: Return) {
  const nonce = first(query.context);
  const visit = /^[a-z0-9-]{16,100}$/.test(nonce) ? await findVisit(deps, nonce) : null;
  if (!visit) return null;
  const owner = await findBankUser(deps, visit.user_id);
  const named = first(query.user_uuid);
  if (named && named !== owner?.providerUserId) return null;
  if (outcomeOf(query) !== 'pending') await endVisit(deps, visit.user_id, visit.nonce);
  return visit;
}

/** `step` is where the user was when it ended without success. */
function outcomeOf(query: Return): VisitOutcome {
  if (first(query.success) === 'true') return 'done';
  const step = first(query.step);
  if (step === 'sync_pending' || step === 'sync_in_progress') return 'pending';
  return step === 'sync_error' || step === 'link_iban_error' ? 'failed' : 'cancelled';
}

const notices = {
  done: 'bank-added',
  pending: 'bank-pending',
  cancelled: 'bank-cancelled',
  failed: 'bank-failed',
} as const satisfies Record<VisitOutcome, string>;

function noticeUrl(deps: Pick<Platform, 'configuration'>, outcome: VisitOutcome): string {
  return `${deps.configuration.publicUrl}/?notice=${notices[outcome]}`;
}

function first(value: unknown): string {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return typeof one === 'string' ? one : '';
}
