import type { ChatOffer, LinkRequest } from '../../../shared/contract/chats.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { AddressLinking, ChatKind, Linking } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { notificationErrors } from '../errors.ts';
import { type Claim, claimLink } from './claim.ts';

/** Every chat that can be linked here, with what a form needs to know. */
export function offersOf({ chats }: Pick<NotificationsDeps, 'chats'>): ChatOffer[] {
  return [...chats].map(([kind, { name, channels, linkings }]) => ({
    ...{ kind, name, channels },
    linkings: linkings.map((linking) => ({
      way: linking.way,
      connectPath: linking.way === 'consent' ? linking.connect.path : null,
      fields: linking.way === 'address' ? [...linking.fields] : [],
    })),
  }));
}

/**
 * Links a chat by the values of its form. Throws `Not_Found` for a chat that has none,
 * `Invalid_Messenger` for values that do not look right, and what the chat throws.
 */
export async function linkByAddress(
  deps: NotificationsDeps,
  ownerId: string,
  kind: ChatKind,
  values: LinkRequest['values'],
): Promise<Claim> {
  const linking = deps.chats.get(kind)?.linkings.find(isByAddress);
  if (!linking) throw new ApiError(httpErrors.Not_Found);
  const wrong = linking.fields.filter(
    ({ name, pattern }) => !new RegExp(`^(?:${pattern})$`, 'u').test(values[name] ?? ''),
  );
  if (wrong.length > 0) {
    throw new ApiError(notificationErrors.Invalid_Messenger, {
      details: wrong.map(({ name, help }) => ({ path: `/values/${name}`, message: help })),
    });
  }
  return await claimLink(deps, ownerId, kind, await linking.link(values));
}

function isByAddress(linking: Linking): linking is AddressLinking {
  return linking.way === 'address';
}
