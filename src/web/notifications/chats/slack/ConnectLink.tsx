import { configuration } from '../../../api/configuration.ts';
import { ProviderLink } from '../../../api/ProviderLink.tsx';
import type { Variant } from '../../../design/Button.tsx';
import * as slackWords from './words.ts';

interface ConnectLinkProps {
  label: string;
  variant?: Variant;
}

/** Leads to Slack's consent page in this tab. */
export function ConnectLink({ label, variant = 'plain' }: ConnectLinkProps) {
  return (
    configuration.chats.includes(slackWords.kind) && (
      <ProviderLink path="/messengers/slack/connect" variant={variant}>
        {label}
      </ProviderLink>
    )
  );
}
