import type { HttpClient } from '../../../platform/http-client/http-client.ts';
import { withoutInstallationCredentials } from '../json-posting.ts';
import type { ChatProvider } from '../port.ts';
import { capacity } from './card.ts';
import { postToWebhook, webhookLinking } from './webhook.ts';
import { errors, name, reasons, words } from './words.ts';

/** Google Chat by webhooks. `apiUrl` has no trailing slash. */
export function createGoogleChat(client: HttpClient, apiUrl: string): ChatProvider {
  return {
    ...{ name, errors, words, reasons, capacity },
    linkings: [webhookLinking(apiUrl)],
    channels: 'one',
    drawing: 'rows',
    codes: { removed: 'webhook_removed', limited: 'limited' },
    // Whether a webhook's `requestId` is remembered, and how long, is not documented.
    repeat: 'never',
    // One message a second and space: developers.google.com/workspace/chat/limits
    pace: { channelGapMs: 1100, perTeam: 1, perSecond: 40 },
    ...withoutInstallationCredentials(
      "Chaque personne colle l'adresse de son webhook\u202f; rien à régler ici.",
    ),
    post: (secret, message) => postToWebhook(client, apiUrl, secret, message),
  };
}
