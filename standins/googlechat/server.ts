import type { Channel } from '../service/channel.ts';
import type { StandinOptions } from '../service/options.ts';
import { escapeHtml } from '../service/pages.ts';
import { type Request, readJson } from '../service/request.ts';
import { type Answer, json } from '../service/responses.ts';
import {
  type MessageStore,
  plainText,
  startWebhookChat,
  type WebhookChat,
  type WebhookChatStandin,
} from '../service/webhook-chat.ts';
import { cardFaults, drawCards } from './cards.ts';

/** Google Chat's webhooks of three spaces, on this machine alone. */
export function startGoogleChatStandin(options: StandinOptions): Promise<WebhookChatStandin> {
  return startWebhookChat(googleChat(), options);
}

/** The address of a space's webhook. */
export function webhookOf(url: string, { id, key }: Pick<Channel, 'id' | 'key'>): string {
  return `${url}/v1/spaces/${id}/messages?key=${apiKey}&token=${key}`;
}

/** Of Google's own for all webhooks. */
const apiKey = 'cle-de-demonstration';

export const channels = ['Trésorerie', 'Bureau', 'Tout le monde'].map((name, index) => ({
  id: `AAAAdemo${index + 1}`,
  name,
  key: `jeton-de-demonstration-${index + 1}`,
}));

/** With a memory of request ids of its own. */
function googleChat(): WebhookChat {
  const known = new Map<string, string>();
  return {
    appearance: {
      ...{ name: 'Google Chat', channelsLabel: 'Espaces', sign: '' },
      ...{ side: '#e8eef7', sideText: '#1f2a37', chosen: '#ffffff' },
      addressOf: webhookOf,
      actions: [
        ['removed', 'Retirer le webhook'],
        ['gone', "Supprimer l'espace"],
      ],
      states: { removed: 'Le webhook est retiré.', gone: "L'espace est supprimé." },
      draw: ({ text, cardsV2 }) =>
        (text ? `<p>${drawText(String(text))}</p>` : '') + drawCards(cardsV2),
      style:
        '.card h3{margin:8px 0 4px;font-size:14px}.row{border-top:1px solid var(--line);padding:4px 0}.row small{display:block;color:var(--quiet)}.columns{display:flex;justify-content:space-between;gap:16px;border-top:1px solid var(--line)}.columns .row{border:0}.columns p{margin:4px 0}',
    },
    channels,
    apiPath: /^\/v1\//,
    channelOf: (channels, { path }) =>
      channels.find(({ id }) => path === `/v1/spaces/${id}/messages`),
    answer: (request, channel, store) => answer(request, channel, store, known),
    countMentions: ({ text }) => String(text ?? '').match(/<users\/[^<>\s]+>/g)?.length ?? 0,
    faultShapes: {
      error: (code = 'INTERNAL', extra) =>
        failure(Number(extra.status ?? 500), code, extra.reason as string | undefined),
      tooMany: () => failure(429, 'RESOURCE_EXHAUSTED'),
      failure: (status) => plainText(status, 'server error'),
    },
  };
}

function answer(
  request: Request,
  channel: Channel | undefined,
  store: MessageStore,
  known: Map<string, string>,
): Answer {
  if (request.query.get('key') !== apiKey)
    return failure(400, 'INVALID_ARGUMENT', 'API_KEY_INVALID');
  if (!channel || channel.state === 'gone') return failure(404, 'NOT_FOUND');
  if (request.query.get('token') !== channel.key) return failure(401, 'UNAUTHENTICATED');
  if (channel.state === 'removed') return failure(403, 'PERMISSION_DENIED');
  const read = readJson(request);
  const isTaken =
    'value' in read &&
    Buffer.byteLength(request.text) <= 32_000 &&
    Boolean(read.value.text ?? read.value.cardsV2) &&
    cardFaults(read.value.cardsV2).length === 0;
  if (!isTaken || !('value' in read)) return failure(400, 'INVALID_ARGUMENT');
  const requestId = request.query.get('requestId');
  const name =
    (requestId && known.get(requestId)) ?? nameOf(store.add(channel, read.value).id, channel);
  if (requestId) known.set(requestId, name);
  return json(200, { name, createTime: store.now().toISOString(), space: { name: channel.id } });
}

function nameOf(id: string, { id: space }: Channel): string {
  return `spaces/${space}/messages/${id}`;
}

/** `reason` says which of several things a status means: google.rpc.ErrorInfo. */
function failure(code: number, status: string, reason?: string): Answer {
  const details = reason
    ? [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }]
    : [];
  return json(code, { error: { code, message: 'An error.', status, details } });
}

/** Its notation as HTML, as far as the product writes it. */
function drawText(text: string): string {
  return escapeHtml(text)
    .replace(/```\n?([\s\S]+?)\n?```/g, '<pre>$1</pre>')
    .replace(/`([^`\n]+)`/g, '<code>$1</code>')
    .replace(/(?<![\p{L}\p{N}])\*(.+?)\*(?![\p{L}\p{N}])/gu, '<strong>$1</strong>')
    .replace(/(?<![\p{L}\p{N}])_(.+?)_(?![\p{L}\p{N}])/gu, '<em>$1</em>')
    .replace(/(?<![\p{L}\p{N}])~(.+?)~(?![\p{L}\p{N}])/gu, '<s>$1</s>')
    .replaceAll('\n', '<br>');
}
