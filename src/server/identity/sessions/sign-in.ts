import type { Login } from '../../../shared/contract/sessions.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityErrors } from '../errors.ts';
import { hasSecondFactor, takeCode } from '../second-factor/checking.ts';
import { attempt } from '../throttling/attempt.ts';
import { emailKey } from '../users/email-key.ts';
import { type Credentials, findCredentials } from '../users/queries.ts';
import { startSession } from './queries.ts';

export interface Place {
  /** Where the request came from. */
  address: string;
  /** What the browser calls itself. */
  device: string | null;
}

/**
 * The token of a new session. Throws Wrong_Credentials, Second_Factor_Required,
 * Second_Factor_Invalid, and Too_Many_Requests after too many guesses.
 */
export async function signIn(deps: IdentityDeps, login: Login, place: Place): Promise<string> {
  const who = { account: emailKey(login.email), address: place.address };
  return await attempt(deps, 'sign-in', who, async () => {
    const user = await checkPassword(deps, login);
    await checkSecondFactor(deps, user.id, login.otp, place);
    const token = await startSession(deps, user, place.device);
    // The password was changed between the two.
    if (!token) throw new ApiError(identityErrors.Wrong_Credentials);
    return token;
  });
}

/** The same answer in the same time, whether the address or the password is wrong. */
async function checkPassword(deps: IdentityDeps, { email, password }: Login): Promise<Credentials> {
  const user = await findCredentials(deps, email);
  const matches = await deps.passwords.verify(user?.passwordHash ?? null, password);
  if (!user || !matches) throw new ApiError(identityErrors.Wrong_Credentials);
  return user;
}

async function checkSecondFactor(
  deps: IdentityDeps,
  ownerId: string,
  otp: string | undefined,
  { address }: Place,
): Promise<void> {
  if (!(await hasSecondFactor(deps, ownerId))) return;
  if (otp === undefined) throw new ApiError(identityErrors.Second_Factor_Required);
  await attempt(deps, 'second-factor', { account: ownerId, address }, async () => {
    if (!(await takeCode(deps, ownerId, otp)))
      throw new ApiError(identityErrors.Second_Factor_Invalid);
  });
}
