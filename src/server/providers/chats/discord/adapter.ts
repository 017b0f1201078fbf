import type { HttpClient } from '../../../platform/http-client/http-client.ts';
import type { ChatProvider } from '../port.ts';
import { type Application, consentLinking, revoke } from './consent.ts';
import { capacity } from './embeds.ts';
import { postToWebhook, webhookLinking } from './webhook.ts';
import { errors, name, reasons, words } from './words.ts';

/** Discord by webhooks. `apiUrl` has no trailing slash and names the version of the API. */
export function createDiscord(
  client: HttpClient,
  apiUrl: string,
  application: Application | null,
): ChatProvider {
  const address = webhookLinking(client, apiUrl);
  return {
    ...{ name, errors, words, reasons, capacity },
    linkings: application ? [consentLinking(client, apiUrl, application), address] : [address],
    channels: 'one',
    drawing: 'columns',
    codes: { removed: 'webhook_gone', limited: 'limited' },
    // A webhook's call knows no id of ours.
    repeat: 'never',
    // Thirty a minute and channel were observed; the limit itself is told by each answer.
    pace: { channelGapMs: 2000, perTeam: 2, perSecond: 25 },
    check: async () => ({
      end: 'open',
      words: application
        ? "Chaque personne choisit un salon sur la page de Discord, ou colle l'adresse d'un webhook."
        : "Chaque personne colle l'adresse de son webhook\u202f; DISCORD_CLIENT_ID et DISCORD_CLIENT_SECRET offrent aussi la page de Discord.",
    }),
    revoke: (secret) => revoke(client, apiUrl, secret),
    post: (secret, message) => postToWebhook(client, apiUrl, secret, message),
  };
}
