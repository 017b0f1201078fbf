import type { GuardedClient } from '../../../platform/http-client/guarded-client.ts';
import { withoutInstallationCredentials } from '../json-posting.ts';
import type { ChatProvider } from '../port.ts';
import { capacity } from './markdown.ts';
import { postToWebhook, webhookLinking } from './webhook.ts';
import { errors, name, reasons, words } from './words.ts';

/** Mattermost as a chat, on whatever server the person names: `client` checks it. */
export function createMattermost(client: GuardedClient): ChatProvider {
  return {
    ...{ name, errors, words, reasons, capacity },
    linkings: [webhookLinking(client)],
    channels: 'one',
    drawing: 'table',
    codes: { removed: 'hook_gone', limited: 'limited' },
    // A webhook takes no id of ours, and tells none.
    repeat: 'never',
    // Ten a second, where an administrator limits them: one webhook is far below.
    pace: { channelGapMs: 1000, perTeam: 2, perSecond: null },
    ...withoutInstallationCredentials(
      "Chaque personne colle l'adresse de son webhook\u202f; rien à régler ici.",
    ),
    post: (secret, message) => postToWebhook(client, secret, message),
  };
}
