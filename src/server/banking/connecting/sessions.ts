import { PRO_VALIDATION_STATUS } from '../../../shared/banks/item-states.ts';
import type { Redirection } from '../../../shared/contract/messengers.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { BankingDeps } from '../deps.ts';
import { actAsBankUser, readAsBankUser } from '../links/acting.ts';
import { saveVisit } from '../links/queries.ts';

type Needed = Pick<BankingDeps, 'database' | 'clock' | 'randomness' | 'bank' | 'configuration'>;

/** The address of the provider's page, made at the moment it is asked for: it does not live long. */
export async function openVisit(
  deps: Needed,
  ownerId: string,
  visit: { purpose: 'add' } | { purpose: 'edit' | 'pro'; itemId: number },
): Promise<Redirection> {
  const open = async (user: Parameters<BankingDeps['bank']['openConnectPage']>[0]) => {
    const nonce = await saveVisit(deps, ownerId, visit);
    return deps.bank.openConnectPage(user, {
      ...('itemId' in visit ? { itemId: visit.itemId } : {}),
      callbackUrl: `${deps.configuration.publicUrl}/api/bridge/callback`,
      nonce,
    });
  };
  const redirectUrl =
    visit.purpose === 'add'
      ? await actAsBankUser(deps, ownerId, open)
      : await readAsBankUser(deps, ownerId, null, open);
  if (!redirectUrl) throw new ApiError(httpErrors.Not_Found);
  return { redirect_url: redirectUrl };
}

/** The first connection that waits for the validation, for a caller who names none. */
export async function findItemToValidate(deps: Needed, ownerId: string): Promise<number> {
  const items = await readAsBankUser(deps, ownerId, [], (user) => deps.bank.listItems(user));
  const item = items.find(({ status }) => status === PRO_VALIDATION_STATUS);
  if (!item) throw new ApiError(httpErrors.Not_Found);
  return item.id;
}
