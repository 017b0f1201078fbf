import { ActionRoom } from '../design/ActionLink.tsx';
import { AddButton } from '../design/AddButton.tsx';
import { isWebAddress } from '../design/navigation.ts';
import { useFreshLink } from '../home/fresh-link.ts';
import { CONNECT_MAX_AGE_MS, useConnectAddress } from './queries.ts';

const label = 'Ajouter une banque';

/** Shown only when an address was obtained (specification §2). */
export function AddBank() {
  const connect = useConnectAddress();
  const follow = useFreshLink(connect, CONNECT_MAX_AGE_MS);
  const address = connect.data?.redirect_url;
  if (connect.isPending) return <ActionRoom label={label} />;
  if (!address || !isWebAddress(address)) return null;
  return <AddButton label={label} target={address} onClick={follow} />;
}
