import type { SourceLink } from '../connect.ts';
import { BankSourceError } from '../failures.ts';
import { isRecord, readText } from '../json-fields.ts';
import { type BridgeCaller, isNotFound, requireOk } from './calls.ts';
import { readList } from './lists.ts';

/** Bridge's id of the user, which every link has from its registration on. */
export function uuidOf({ providerUserId }: SourceLink): string {
  if (!providerUserId)
    throw new BankSourceError('unknown-user', 'The link names no user of Bridge');
  return providerUserId;
}

const usersPath = '/v3/aggregation/users';

/**
 * Our user id is Bridge's `external_user_id`: a user who exists there and was lost here is found
 * again. docs.bridgeapi.io/docs/user-creation-authentication
 */
export async function registerUser(call: BridgeCaller, userId: string): Promise<string> {
  const named = { external_user_id: userId };
  const answer = await call({ method: 'POST', path: usersPath, body: named });
  const body = answer.status === 409 ? null : requireOk(answer);
  const uuid = isRecord(body)
    ? readText(body.uuid)
    : ((await findInList(call, userId).catch(nullWhenRefused)) ??
      (await findByToken(call, userId)));
  if (!uuid) throw new BankSourceError('unavailable', 'Bridge gave a user no name');
  return uuid;
}

/** A list that is refused or cannot be read says nothing: there is another way to ask. */
function nullWhenRefused(error: unknown): null {
  if (error instanceof BankSourceError) return null;
  throw error;
}

/** docs.bridgeapi.io: `DELETE /v3/aggregation/users/{uuid}` removes the user's items as well. */
export async function removeUser(
  call: BridgeCaller,
  user: { userId: string; providerUserId: string | null },
): Promise<{ wasThere: boolean }> {
  const uuid = user.providerUserId ?? (await findInList(call, user.userId));
  if (!uuid) return { wasThere: false };
  const path = `${usersPath}/${encodeURIComponent(uuid)}`;
  const answer = await call({ method: 'DELETE', path });
  if (isNotFound(answer)) return { wasThere: false };
  requireOk(answer);
  return { wasThere: true };
}

/**
 * Whether the list of users, whole, says so too. A wrong address may answer 404 to everything,
 * and the erasure that follows cannot be undone.
 */
export async function isUserGone(call: BridgeCaller, link: SourceLink): Promise<boolean> {
  const known = uuidOf(link);
  const found = await listUsers(call, link.userId, ({ uuid }) => uuid === known);
  return found.length === 0;
}

/** Looked for by name in the answer: not every server knows the filter. */
async function findInList(call: BridgeCaller, userId: string): Promise<string | null> {
  const noneAsEmpty: BridgeCaller = async (request) => {
    const answer = await call(request);
    return isNotFound(answer) ? { ...answer, status: 200, body: { resources: [] } } : answer;
  };
  const isMeant = (user: Record<string, unknown>) => user.external_user_id === userId;
  const [user] = await listUsers(noneAsEmpty, userId, isMeant);
  return user ? readText(user.uuid) : null;
}

/** Those that are meant: a server that does not know the filter answers with every user there is. */
function listUsers(
  call: BridgeCaller,
  userId: string,
  isMeant: (user: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>[]> {
  const path = `${usersPath}?external_user_id=${encodeURIComponent(userId)}`;
  return readList(
    path,
    (page) => call({ method: 'GET', path: page }),
    (row) => (isRecord(row) ? row : null),
    isMeant,
  );
}

/** The answer to a token request names the user as well. */
async function findByToken(call: BridgeCaller, userId: string): Promise<string | null> {
  const path = '/v3/aggregation/authorization/token';
  const answer = await call({ method: 'POST', path, body: { external_user_id: userId } });
  const body = requireOk(answer);
  return isRecord(body) && isRecord(body.user) ? readText(body.user.uuid) : null;
}
