import type { SignedCall } from '../../../platform/http/signed-route.ts';
import type { BalanceCommand, CommandCall } from '../balance-command.ts';
import { blockKit, escapeText } from './blocks.ts';
import { isSigned } from './signature.ts';

/**
 * `/solde`, as docs.slack.dev/interactivity/implementing-slash-commands says: a form, signed as events
 * are, whose answer of status 200 is shown. Slack drops one that comes later than three seconds.
 */
export function commandOf(secrets: string[]): BalanceCommand {
  return {
    path: '/messengers/slack/commands',
    summary: 'La commande /solde, signée par Slack',
    read: (call, now) => readCommand(call, secrets, now),
    answer({ text, blocks }) {
      const drawn = blocks ? blockKit(blocks) : null;
      const shown = { response_type: 'ephemeral', text: escapeText(text) };
      return drawn ? { ...shown, blocks: drawn } : shown;
    },
  };
}

/** A probe of the address carries no signature, and asks for nothing. */
function readCommand(call: SignedCall, secrets: string[], now: Date): CommandCall | null {
  const form = new URLSearchParams(call.body.toString('utf8'));
  if (form.get('ssl_check') === '1') return { kind: 'probe' };
  if (!isSigned(call, secrets, now)) return null;
  return {
    kind: 'command',
    teamId: form.get('team_id') ?? '',
    channelId: form.get('channel_id') ?? '',
    asked: (form.get('text') ?? '').slice(0, maxAsked),
  };
}

/** Longer than the longest name of an account with its bank's. */
const maxAsked = 200;
