import { configuration } from '../../../api/configuration.ts';
import { useFreshLink } from '../../../api/fresh-link.ts';
import { ActionLink, ActionRoom } from '../../../design/ActionLink.tsx';
import { Button, type Look } from '../../../design/Button.tsx';
import { KIND } from './words.ts';

/** Leads to Slack's consent page in this tab. */
export function ConnectLink(props: ConnectLinkProps) {
  return configuration.chats.includes(KIND) && <FreshLink {...props} />;
}

interface ConnectLinkProps {
  label: string;
  look?: Look;
}

function FreshLink({ label, look = 'plain' }: ConnectLinkProps) {
  const { query, address, follow } = useFreshLink('/messengers/slack/connect');
  if (address) {
    return (
      <ActionLink look={look} target={address} onClick={follow}>
        {label}
      </ActionLink>
    );
  }
  if (!query.isError) return <ActionRoom label={label} look={look} />;
  return (
    <Button busy={query.isFetching} onClick={() => query.refetch()}>
      {`${label}\u202f: réessayer`}
    </Button>
  );
}
