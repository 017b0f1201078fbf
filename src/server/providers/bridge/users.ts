import { BankProviderError } from '../bank.ts';
import { isRecord, readText } from './answers.ts';
import { accepted, type BridgeCall, type BridgeCaller } from './calls.ts';

const usersPath = '/v3/aggregation/users';

/**
 * Our user id is Bridge's `external_user_id`: a user who exists there and was lost here is found
 * again. docs.bridgeapi.io/docs/user-creation-authentication
 */
export async function registerUser(call: BridgeCaller, userId: string): Promise<string> {
  const request: BridgeCall = {
    method: 'POST',
    path: usersPath,
    body: { external_user_id: userId },
  };
  const answer = await call(request);
  const body = answer.status === 409 ? null : accepted(answer, request);
  const uuid = isRecord(body)
    ? readText(body.uuid)
    : ((await findInList(call, userId)) ?? (await findByToken(call, userId)));
  if (!uuid) throw new BankProviderError('unavailable', 'Bridge gave a user no name');
  return uuid;
}

/** docs.bridgeapi.io: `DELETE /v3/aggregation/users/{uuid}` removes the user's items as well. */
export async function removeUser(
  call: BridgeCaller,
  user: { userId: string; providerUserId: string | null },
): Promise<void> {
  const uuid = user.providerUserId ?? (await findInList(call, user.userId));
  if (!uuid) return;
  const request: BridgeCall = {
    method: 'DELETE',
    path: `${usersPath}/${encodeURIComponent(uuid)}`,
  };
  const answer = await call(request);
  if (answer.status !== 404) accepted(answer, request);
}

/** Looked for by name in the answer: not every server knows the filter. */
async function findInList(call: BridgeCaller, userId: string): Promise<string | null> {
  const request: BridgeCall = {
    method: 'GET',
    path: `${usersPath}?external_user_id=${encodeURIComponent(userId)}`,
  };
  const answer = await call(request);
  if (answer.status === 404) return null;
  const body = accepted(answer, request);
  const users: unknown[] = isRecord(body) && Array.isArray(body.resources) ? body.resources : [];
  const user = users.filter(isRecord).find((candidate) => candidate.external_user_id === userId);
  return user ? readText(user.uuid) : null;
}

/** The answer to a token request names the user as well. */
async function findByToken(call: BridgeCaller, userId: string): Promise<string | null> {
  const request: BridgeCall = {
    method: 'POST',
    path: '/v3/aggregation/authorization/token',
    body: { external_user_id: userId },
  };
  const body = accepted(await call(request), request);
  return isRecord(body) && isRecord(body.user) ? readText(body.user.uuid) : null;
}
