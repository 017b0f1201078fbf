import { useFreshLink } from '../../api/fresh-link.ts';
import { ActionLink, ActionRoom } from '../../design/ActionLink.tsx';
import { Button } from '../../design/Button.tsx';

/** Leads to the chat's consent page in this tab. */
export function ConnectWay({ path, name }: { path: string; name: string }) {
  const { query, address, follow } = useFreshLink(path);
  const label = `Continuer sur ${name}`;
  if (address) {
    return (
      <ActionLink look="primary" target={address} onClick={follow}>
        {label}
      </ActionLink>
    );
  }
  if (!query.isError) return <ActionRoom label={label} />;
  return (
    <Button busy={query.isFetching} onClick={() => query.refetch()}>
      {`${label}\u202f: réessayer`}
    </Button>
  );
}
