import type { Redirection } from '../../../shared/contract/messengers.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import type { BankSource, RedirectConnect } from '../../providers/banks/port.ts';
import type { StoredConnection } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { withLink, withNewLink } from '../links/acting.ts';
import { findConnection } from '../refreshing/refreshes.ts';

type Needed = Pick<
  BankingDeps,
  'database' | 'vault' | 'clock' | 'randomness' | 'banks' | 'bankRefreshes' | 'configuration'
>;

export type RedirectSource = BankSource & { connect: RedirectConnect };

/** The address of the page on which a bank is added, at the first source that has such a page. */
export async function openAddPage(deps: Needed, ownerId: string): Promise<Redirection> {
  for (const [kind, source] of deps.banks) {
    if (!hasRedirect(source) || source.connect.banks === 'here') continue;
    const { connect } = source;
    const redirectUrl = await withNewLink(deps, ownerId, [kind, source], async (link) => {
      const nonce = await saveSession(deps, ownerId, { source: kind, purpose: 'add' });
      return connect.begin(link, { callbackUrl: callbackUrlOf(deps, kind, source), nonce });
    });
    return { redirect_url: redirectUrl };
  }
  throw new ApiError(httpErrors.Not_Found);
}

/**
 * The address of the source's page about one connection. Without an id it is the first connection that
 * waits for the validation of a business account.
 */
export async function openEditPage(
  deps: Needed,
  ownerId: string,
  purpose: 'edit' | 'pro',
  connectionId: number | null,
): Promise<Redirection> {
  const connection = await findConnection(deps, ownerId, ({ id, state }) =>
    connectionId === null ? state === 'confirm-accounts' : id === connectionId,
  );
  const redirectUrl = connection && (await openPageOf(deps, ownerId, purpose, connection));
  if (!redirectUrl) throw new ApiError(httpErrors.Not_Found);
  return { redirect_url: redirectUrl };
}

function openPageOf(
  deps: Needed,
  ownerId: string,
  purpose: 'edit' | 'pro',
  { id, source: kind, source_id: sourceId }: StoredConnection,
): Promise<string | null> {
  return withLink<string | null>(deps, ownerId, kind, null, async (source, link) => {
    if (!source.openEditPage || !hasRedirect(source)) return null;
    const nonce = await saveSession(deps, ownerId, { source: kind, purpose, connectionId: id });
    const callbackUrl = callbackUrlOf(deps, kind, source);
    return source.openEditPage(link, { connectionId: sourceId, callbackUrl, nonce });
  });
}

export function hasRedirect(source: BankSource): source is RedirectSource {
  return source.connect.kind === 'redirect';
}

/** Under `/api`. */
export function callbackPathOf(kind: string, { connect }: RedirectSource): string {
  return connect.callback.path ?? `/banks/callback/${kind}`;
}

function callbackUrlOf(
  { configuration }: Pick<Platform, 'configuration'>,
  kind: string,
  source: RedirectSource,
): string {
  return `${configuration.publicUrl}/api${callbackPathOf(kind, source)}`;
}

interface NewSession {
  source: string;
  purpose: 'add' | 'edit' | 'pro';
  connectionId?: number;
}

const lifeMs = 24 * 60 * 60_000;

/** Stores a connect session. Returns its nonce, which the source gives back with the browser. */
async function saveSession(
  { database, clock, randomness }: Pick<Platform, 'database' | 'clock' | 'randomness'>,
  ownerId: string,
  { source, purpose, connectionId }: NewSession,
): Promise<string> {
  const now = clock.now();
  const nonce = randomness.bytes(24).toString('hex');
  await database.sql
    .insertInto('bank_connect_sessions')
    .values({
      nonce,
      user_id: ownerId,
      source,
      purpose,
      connection_id: connectionId ?? null,
      created_at: now,
      expires_at: new Date(now.getTime() + lifeMs),
    })
    .execute();
  return nonce;
}

/**
 * Found by its nonce without the owner, because a browser that comes back from a source sends no
 * session token. Only the browser that was sent there has the nonce.
 */
export async function findSession(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  source: string,
  nonce: string,
) {
  const session = await database.sql
    .selectFrom('bank_connect_sessions')
    .select(['nonce', 'user_id', 'purpose'])
    .where('nonce', '=', nonce)
    .where('source', '=', source)
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  return session ?? null;
}

/** False when another request has ended it already. */
export async function endSession(
  { database }: Pick<Platform, 'database'>,
  ownerId: string,
  nonce: string,
): Promise<boolean> {
  const { numDeletedRows } = await database.sql
    .deleteFrom('bank_connect_sessions')
    .where('user_id', '=', ownerId)
    .where('nonce', '=', nonce)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
