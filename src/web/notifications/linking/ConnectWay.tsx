import { useFreshLink } from '../../api/fresh-link.ts';
import { ActionLink, ActionRoom } from '../../design/ActionLink.tsx';
import { Button } from '../../design/Button.tsx';

interface ConnectWayProps {
  path: string;
  name: string;
}

/** Leads to the chat's consent page in this tab, and says what comes there. */
export function ConnectWay({ path, name }: ConnectWayProps) {
  return (
    <>
      <p>{`Vous choisirez sur ${name} où les messages arriveront, puis vous reviendrez ici.`}</p>
      <ConnectButton {...{ path, name }} />
    </>
  );
}

function ConnectButton({ path, name }: ConnectWayProps) {
  const { query, address, follow } = useFreshLink(path);
  const label = `Continuer sur ${name}`;
  if (address) {
    return (
      <ActionLink variant="primary" target={address} onClick={follow}>
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
