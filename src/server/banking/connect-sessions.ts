import { PRO_VALIDATION_STATUS } from '../../shared/banks/item-states.ts';
import type { Redirection } from '../../shared/contract/messengers.ts';
import { Refusal } from '../platform/http/api-error.ts';
import { actAsBankUser, readAsBankUser } from './bank-user.ts';
import type { BankingDeps } from './deps.ts';
import { saveVisit } from './queries.ts';

type Needed = Pick<BankingDeps, 'database' | 'clock' | 'randomness' | 'bank' | 'configuration'>;

/** The address of the provider's page, made at the moment it is asked for: it does not live long. */
export async function openVisit(
  parts: Needed,
  ownerId: string,
  visit: { purpose: 'add' } | { purpose: 'edit' | 'pro'; itemId: number },
): Promise<Redirection> {
  const open = async (user: Parameters<BankingDeps['bank']['openConnectPage']>[0]) => {
    const nonce = await saveVisit(parts, ownerId, visit);
    return parts.bank.openConnectPage(user, {
      ...('itemId' in visit ? { itemId: visit.itemId } : {}),
      callbackUrl: `${parts.configuration.publicUrl}/api/bridge/callback`,
      nonce,
    });
  };
  const redirectUrl =
    visit.purpose === 'add'
      ? await actAsBankUser(parts, ownerId, open)
      : await readAsBankUser(parts, ownerId, null, open);
  if (!redirectUrl) throw new Refusal('Not_Found');
  return { redirect_url: redirectUrl };
}

/** The first connection that waits for the validation, for a caller who names none. */
export async function findItemToValidate(parts: Needed, ownerId: string): Promise<number> {
  const items = await readAsBankUser(parts, ownerId, [], (user) => parts.bank.listItems(user));
  const item = items.find(({ status }) => status === PRO_VALIDATION_STATUS);
  if (!item) throw new Refusal('Not_Found');
  return item.id;
}
