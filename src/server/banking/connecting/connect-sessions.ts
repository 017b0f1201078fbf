import type { Kysely } from 'kysely';
import { endsSoon } from '../../../shared/banks/consents.ts';
import type { ConnectPurpose } from '../../../shared/banks/returns.ts';
import { dayMs } from '../../../shared/calendar/durations.ts';
import type { Redirection } from '../../../shared/contract/messengers.ts';
import { type Actor, lockActor } from '../../identity/sessions/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ConnectSession, RedirectConnect } from '../../providers/banks/connect.ts';
import type { BankSource } from '../../providers/banks/port.ts';
import { checkConnectionLimit, maxOpenPages } from '../connections/limits.ts';
import type { StoredConnection } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { findConnection } from '../refreshing/for-pages.ts';
import { withLink, withNewLink } from '../source-links/with-link.ts';

type Needed = Pick<
  BankingDeps,
  | 'database'
  | 'vault'
  | 'clock'
  | 'randomness'
  | 'log'
  | 'configuration'
  | 'bankSources'
  | 'bankRefreshes'
  | 'queue'
>;

export type RedirectSource = BankSource & { connect: RedirectConnect };

/** The address of the page on which a bank is added, at the first source that has such a page. */
export async function openAddPage(deps: Needed, actor: Actor): Promise<Redirection> {
  for (const [source, bankSource] of deps.bankSources) {
    if (hasRedirect(bankSource) && bankSource.connect.banks === 'there') {
      return await openPageOfSource(deps, actor, source);
    }
  }
  throw new ApiError(httpErrors.Not_Found);
}

/** The same at one source, for the bank that was chosen here. */
export async function openPageOfSource(
  deps: Needed,
  actor: Actor,
  source: string,
  bankId?: string,
): Promise<Redirection> {
  const { userId } = actor;
  await checkConnectionLimit(deps, userId);
  const bankSource = deps.bankSources.get(source);
  if (!bankSource || !hasRedirect(bankSource)) throw new ApiError(httpErrors.Not_Found);
  const redirectUrl = await withNewLink(deps, userId, [source, bankSource], async (link) => {
    const session = await openConnectSession(deps, actor, [source, bankSource], { purpose: 'add' });
    return bankSource.connect.begin(link, { ...session, ...(bankId && { bankId }) });
  });
  return { redirect_url: redirectUrl };
}

/**
 * The address of the source's page about one connection. Without an id it is the first connection that
 * waits for the validation of a business account.
 */
export async function openEditPage(
  deps: Needed,
  actor: Actor,
  purpose: 'edit' | 'pro',
  connectionId: number | null,
): Promise<Redirection> {
  const connection = await findConnection(deps, actor.userId, ({ id, state }) =>
    connectionId === null ? state === 'confirm-accounts' : id === connectionId,
  );
  const redirectUrl = connection && (await openPageOf(deps, actor, purpose, connection));
  if (!redirectUrl) throw new ApiError(httpErrors.Not_Found);
  return { redirect_url: redirectUrl };
}

function openPageOf(
  deps: Needed,
  actor: Actor,
  purpose: 'edit' | 'pro',
  { id, source, source_id: sourceId, authentication_expires_at: end }: StoredConnection,
): Promise<string | null> {
  return withLink(deps, actor.userId, source, async (bankSource, link) => {
    if (bankSource.connect.kind === 'form') return bankSource.connect.page;
    if (!bankSource.openEditPage || !hasRedirect(bankSource)) return null;
    const about = { purpose, connection_id: id };
    const session = await openConnectSession(deps, actor, [source, bankSource], about);
    const renews = endsSoon(end, deps.clock.now());
    return bankSource.openEditPage(link, { ...session, connectionId: sourceId, renews });
  });
}

export function hasRedirect(bankSource: BankSource): bankSource is RedirectSource {
  return bankSource.connect.kind === 'redirect';
}

export function callbackUrlOf(
  publicUrl: string,
  [source, bankSource]: [string, Pick<RedirectSource, 'connect'>],
): string {
  return `${publicUrl}/api${callbackPathOf(source, bankSource)}`;
}

/** Under `/api`. */
export function callbackPathOf(
  source: string,
  { connect }: Pick<RedirectSource, 'connect'>,
): string {
  return connect.callback.path ?? `/banks/callback/${source}`;
}

const lifeMs = dayMs;

/**
 * Stores a connect session. The source gives its nonce back with the browser. Of one purpose, only the
 * newest are kept.
 */
async function openConnectSession(
  { database, clock, randomness, configuration }: Needed,
  actor: Actor,
  [source, bankSource]: [string, RedirectSource],
  about: { purpose: ConnectPurpose; connection_id?: number },
): Promise<ConnectSession> {
  const now = clock.now();
  const nonce = randomness.bytes(24).toString('hex');
  await inTransaction(database.sql, async (transaction) => {
    // One at a time, so that a burst of calls does not leave more than one call after the other does.
    const { id: userId } = await lockActor(transaction, actor);
    const ofPurpose = transaction
      .selectFrom('bank_connect_sessions')
      .select('nonce')
      .where('user_id', '=', userId)
      .where('purpose', '=', about.purpose);
    await transaction
      .deleteFrom('bank_connect_sessions')
      .where(
        'nonce',
        'in',
        ofPurpose
          .orderBy('created_at', 'desc')
          .orderBy('nonce')
          // The page asks for an address whenever it is shown: the oldest give way instead of a refusal.
          .offset(maxOpenPages - 1),
      )
      .execute();
    await transaction
      .insertInto('bank_connect_sessions')
      .values({
        ...{ nonce, user_id: userId, source, ...about, created_at: now },
        expires_at: new Date(now.getTime() + lifeMs),
      })
      .execute();
  });
  return { nonce, callbackUrl: callbackUrlOf(configuration.publicUrl, [source, bankSource]) };
}

/** Ends the account's open connect sessions: a return from a bank's page then finds none. */
export async function deleteConnectSessions(
  database: Kysely<Schema>,
  userId: string,
): Promise<void> {
  await database.deleteFrom('bank_connect_sessions').where('user_id', '=', userId).execute();
}

/**
 * Found by its nonce without the owner, because a browser that comes back from a source sends no
 * session token. It says nothing of who is in front of that browser.
 */
export async function findConnectSession(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  source: string,
  nonce: string,
) {
  if (!/^[a-z0-9-]{16,100}$/.test(nonce)) return null;
  const session = await database.sql
    .selectFrom('bank_connect_sessions')
    .select(['nonce', 'user_id', 'purpose', 'connection_id'])
    .where('nonce', '=', nonce)
    .where('source', '=', source)
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  return session ?? null;
}

/** False when another request has ended it already. */
export async function endConnectSession(
  { database }: Pick<Platform, 'database'>,
  userId: string,
  nonce: string,
): Promise<boolean> {
  const { numDeletedRows } = await database.sql
    .deleteFrom('bank_connect_sessions')
    .where('user_id', '=', userId)
    .where('nonce', '=', nonce)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
