import { configuration } from '../../../api/configuration.ts';
import { FreshLink } from '../../../api/FreshLink.tsx';
import type { Variant } from '../../../design/Button.tsx';
import { KIND } from './words.ts';

interface ConnectLinkProps {
  label: string;
  variant?: Variant;
}

/** Leads to Slack's consent page in this tab. */
export function ConnectLink({ label, variant = 'plain' }: ConnectLinkProps) {
  return (
    configuration.chats.includes(KIND) && (
      <FreshLink path="/messengers/slack/connect" variant={variant}>
        {label}
      </FreshLink>
    )
  );
}
