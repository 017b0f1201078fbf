import { ApiError } from '../../platform/http/api-error.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityErrors } from '../errors.ts';
import { attempt } from '../throttling/attempt.ts';
import type { Asker } from '../users/current-password.ts';
import { takeCode } from './checking.ts';

/** Of whoever is signed in, where a 401 would say that the session is over. Throws One_Time_Code_Invalid. */
export async function confirmCode(
  deps: IdentityDeps,
  { ownerId, address }: Asker,
  otp: string | undefined,
): Promise<void> {
  await attempt(deps, 'second-factor', { account: ownerId, address }, async () => {
    const taken = otp !== undefined && (await takeCode(deps, ownerId, otp));
    if (!taken) throw new ApiError(identityErrors.One_Time_Code_Invalid);
  });
}
