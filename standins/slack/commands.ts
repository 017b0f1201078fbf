import { signature } from './events.ts';
import { hasScope } from './installations.ts';
import type { CompleteOptions } from './options.ts';
import type { Channel, Team } from './state.ts';

/** What a person typed behind `/solde` in a channel. */
interface TypedCommand {
  team: Team;
  channel: Pick<Channel, 'id' | 'name'>;
  text: string;
}

/** What the product answered, to be shown to that person alone. */
interface CommandAnswer {
  /** 0 where nothing came within three seconds. */
  status: number;
  text: string;
  blocks: unknown[] | null;
}

const answerWithinMs = 3_000;

/** Sends the command as Slack does: docs.slack.dev/interactivity/implementing-slash-commands. */
export async function sendCommand(
  options: CompleteOptions,
  typed: TypedCommand,
): Promise<CommandAnswer> {
  const { team, channel, text } = typed;
  const { commandsUrl } = options;
  if (!commandsUrl || !hasScope(team.installation?.scope ?? '', 'commands')) {
    return { status: 0, text: "/solde n'est pas une commande de cet espace.", blocks: null };
  }
  const body = String(
    new URLSearchParams({
      ...{ token: 'jeton-de-verification', command: '/solde', text },
      ...{ team_id: team.id, team_domain: team.domain, api_app_id: 'A0TIRELIRE' },
      ...{ channel_id: channel.id, channel_name: channel.name },
      ...{ user_id: 'U0CAMILLE', user_name: 'camille', is_enterprise_install: 'false' },
      ...{ response_url: 'https://hooks.slack.com/commands/0', trigger_id: '0.0' },
    }),
  );
  const timestamp = String(Math.floor(options.clock.now().getTime() / 1000));
  try {
    const answer = await fetch(commandsUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': signature(options.signingSecret, timestamp, body),
      },
      body,
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const shown = (await answer.json()) as Partial<CommandAnswer>;
    if (answer.status !== 200) return failed(answer.status, 'dispatch_failed');
    return { status: 200, text: shown.text ?? '', blocks: shown.blocks ?? null };
  } catch {
    return failed(0, 'operation_timeout');
  }
}

function failed(status: number, code: string): CommandAnswer {
  return { status, text: `/solde a échoué avec l'erreur «\u202f${code}\u202f».`, blocks: null };
}
