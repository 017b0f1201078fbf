import { useFreshLink } from '../../../api/fresh-link.ts';
import { ActionLink, ActionRoom } from '../../../design/ActionLink.tsx';
import { Button } from '../../../design/Button.tsx';

/** Leads to Slack's consent page in this tab. */
export function ConnectLink({ label, add = false }: { label: string; add?: boolean }) {
  const { query, address, follow } = useFreshLink('/messengers/slack/connect');
  if (address) {
    return (
      <ActionLink look={add ? 'secondary' : 'plain'} target={address} onClick={follow}>
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
