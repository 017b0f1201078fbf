import { configuration } from '../../../api/configuration.ts';
import { useFreshLink } from '../../../api/fresh-link.ts';
import { ActionLink, ActionRoom } from '../../../design/ActionLink.tsx';
import { Button, type Variant } from '../../../design/Button.tsx';
import { KIND } from './words.ts';

/** Leads to Slack's consent page in this tab. */
export function ConnectLink(props: ConnectLinkProps) {
  return configuration.chats.includes(KIND) && <FreshLink {...props} />;
}

interface ConnectLinkProps {
  label: string;
  variant?: Variant;
}

function FreshLink({ label, variant = 'plain' }: ConnectLinkProps) {
  const { query, address, follow } = useFreshLink('/messengers/slack/connect');
  if (address) {
    return (
      <ActionLink variant={variant} target={address} onClick={follow}>
        {label}
      </ActionLink>
    );
  }
  if (!query.isError) return <ActionRoom label={label} variant={variant} />;
  return (
    <Button busy={query.isFetching} onClick={() => query.refetch()}>
      {`${label}\u202f: réessayer`}
    </Button>
  );
}
