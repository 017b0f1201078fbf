import { useQueryClient } from '@tanstack/react-query';
import type { Messenger } from '../../shared/contract/messengers.ts';
import { ActionLink, ActionRoom } from '../design/ActionLink.tsx';
import { AddButton } from '../design/AddButton.tsx';
import { Button } from '../design/Button.tsx';
import { isWebAddress } from '../design/navigation.ts';
import { useFreshLink } from '../home/fresh-link.ts';
import type { LoadingState } from '../home/loading-state.ts';
import { useAddMessenger } from './mutations.ts';
import { SLACK_CONNECT_MAX_AGE_MS, useSlackConnect } from './queries.ts';

interface AddMessengerProps {
  messengers: Messenger[];
  state: LoadingState;
  /** A token is in the address's query. */
  arriving: boolean;
}

export function AddMessenger({ messengers, state, arriving }: AddMessengerProps) {
  if (messengers.length > 0) {
    return (
      <>
        <SlackLink label="Connecter un autre espace Slack" />
        <AddSameWorkspace botToken={messengers[0]?.slackBotToken ?? null} />
      </>
    );
  }
  return state === 'Loaded' && !arriving ? <SlackLink label="Ajouter à Slack" add /> : null;
}

/** Posts the bot token of the first messenger: the current one (specification §4). */
function AddSameWorkspace({ botToken }: { botToken: string | null }) {
  const client = useQueryClient();
  const { mutate, isPending } = useAddMessenger();
  const add = () => {
    if (client.isMutating({ mutationKey: ['messengers', 'add'] }) === 0) mutate(botToken);
  };
  return <AddButton busy={isPending} onPress={add} />;
}

/** Leads to Slack's consent page in this tab. */
export function SlackLink({ label, add = false }: { label: string; add?: boolean }) {
  const connect = useSlackConnect(true);
  const follow = useFreshLink(connect, SLACK_CONNECT_MAX_AGE_MS);
  const address = connect.data?.redirect_url;
  if (address && isWebAddress(address)) {
    return add ? (
      <AddButton label={label} target={address} onClick={follow} />
    ) : (
      <ActionLink target={address} onClick={follow}>
        {label}
      </ActionLink>
    );
  }
  if (!connect.isError) return <ActionRoom label={label} />;
  return (
    <Button busy={connect.isFetching} onClick={() => connect.refetch()}>
      {`${label}\u202f: réessayer`}
    </Button>
  );
}
