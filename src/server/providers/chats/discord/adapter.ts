import type { HttpClient } from '../../../platform/http-client/http-client.ts';
import type { ChatProvider } from '../port.ts';
import { capacity } from './embeds.ts';
import { postToWebhook, webhookLinking } from './webhook.ts';
import { errors, name, reasons, words } from './words.ts';

/** Discord by webhooks. `apiUrl` has no trailing slash and names the version of the API. */
export function createDiscord(client: HttpClient, apiUrl: string): ChatProvider {
  return {
    ...{ name, errors, words, reasons, capacity },
    linkings: [webhookLinking(client, apiUrl)],
    channels: 'one',
    drawing: 'columns',
    codes: { removed: 'webhook_gone', limited: 'limited' },
    // A webhook's call knows no id of ours.
    repeat: 'never',
    // Thirty a minute and channel were observed; the limit itself is told by each answer.
    pace: { channelGapMs: 2000, perTeam: 2, perSecond: 25 },
    check: async () => ({
      end: 'open',
      words: 'Chaque personne colle l’adresse de son webhook ; rien à régler ici.',
    }),
    // The webhook is its maker's.
    withdraw: async () => {},
    post: (secret, message) => postToWebhook(client, apiUrl, secret, message),
  };
}
