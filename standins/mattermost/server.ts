import type { Channel } from '../service/channel.ts';
import type { StandinOptions } from '../service/options.ts';
import { type Request, readJson } from '../service/request.ts';
import type { Answer } from '../service/responses.ts';
import {
  type MessageStore,
  plainText,
  startWebhookChat,
  type WebhookChat,
  type WebhookChatStandin,
} from '../service/webhook-chat.ts';
import { answerBot, botToken, channelOfBot, type KnownPosts } from './bot.ts';
import { failure } from './failure.ts';
import { drawMarkdown } from './markdown.ts';
import { countMentions, slackNotation } from './mentions.ts';

/** A Mattermost server with three incoming webhooks, on this machine alone. */
export function startMattermostStandin(options: StandinOptions): Promise<WebhookChatStandin> {
  return startWebhookChat(mattermost(), options);
}

/** The address of a channel's webhook. */
export function webhookOf(url: string, { key }: Pick<Channel, 'key'>): string {
  return `${url}/hooks/${key}`;
}

/** The keys are those of every demonstration: an address that was linked once works again. */
export const channels = [
  { id: 'tresorerie', name: 'Trésorerie', key: 'tresorerie0demonstration01' },
  { id: 'bureau', name: 'Bureau', key: 'bureau00000demonstration02' },
  { id: 'place', name: 'Place publique', key: 'place000000demonstration03' },
];

/** With a memory of posts of its own. */
function mattermost(): WebhookChat {
  const known: KnownPosts = new Map();
  return {
    appearance: {
      ...{ name: 'Mattermost', channelsLabel: 'Canaux', sign: '' },
      ...{ side: '#1e325c', sideText: '#fff', chosen: '#ffffff29' },
      addressOf: webhookOf,
      more: `<p>Ou reliez le bot «\u202ftirelire\u202f»\u202f: l'adresse du serveur est celle de cette page, et le jeton du bot est <code class="token">${botToken}</code></p>`,
      actions: [
        ['deleted', 'Supprimer le webhook'],
        ['archived', 'Archiver le canal'],
        ['disabled', 'Désactiver les webhooks'],
        ['left', 'Retirer le bot du canal'],
      ],
      states: {
        deleted: 'Le webhook est supprimé.',
        archived: 'Le canal est archivé.',
        disabled: 'Les webhooks entrants sont désactivés.',
        left: "Le bot n'est pas dans ce canal.",
      },
      draw: (body) => drawMarkdown(messageText(body)),
    },
    channels,
    apiPath: /^\/(hooks|api\/v4)\//,
    channelOf: (channels, request) =>
      channels.find(({ key }) => request.path === `/hooks/${key}`) ??
      channelOfBot(channels, request),
    answer: (request, channel, store) =>
      request.path.startsWith('/api/')
        ? answerBot(request, channel, store, known)
        : answer(request, channel, store),
    countMentions: (body) => countMentions(messageText(body)),
    faultShapes: {
      error: (id = 'api.post.create_webhook_post.creating.app_error', extra) =>
        failure(Number(extra.status ?? 500), id),
      tooMany: (seconds) =>
        plainText(
          429,
          'limit exceeded',
          seconds === null ? {} : { 'retry-after': String(seconds), 'x-ratelimit-reset': '1' },
        ),
      failure: (status) => plainText(status, 'server error'),
    },
  };
}

/** developers.mattermost.com/integrate/webhooks/incoming, and the ids of the server's own errors. */
function answer(request: Request, channel: Channel | undefined, store: MessageStore): Answer {
  if (request.method !== 'POST' || !channel || channel.state === 'deleted') {
    return failure(400, 'web.incoming_webhook.invalid.app_error');
  }
  if (channel.state === 'disabled') return failure(501, 'web.incoming_webhook.disabled.app_error');
  if (channel.state === 'no-channel') {
    return failure(404, 'web.incoming_webhook.channel.app_error');
  }
  const body = readJson(request);
  if ('fault' in body) return failure(400, 'web.incoming_webhook.parse.app_error');
  const text = String(body.value.text ?? '');
  if (text === '') return failure(400, 'web.incoming_webhook.text.app_error');
  // What fails while a post is saved is wrapped in one error.
  if (channel.state === 'archived') {
    return failure(500, 'api.post.create_webhook_post.creating.app_error');
  }
  for (const piece of pieces(slackNotation(text)))
    store.add(channel, { ...body.value, text: piece });
  return plainText(200, 'ok');
}

/** Longer texts are split into several posts. */
function pieces(text: string): string[] {
  const letters = [...text];
  const found: string[] = [];
  for (let at = 0; at < letters.length; at += 16_383) {
    found.push(letters.slice(at, at + 16_383).join(''));
  }
  return found;
}

/** Of a webhook's message, or of a bot's. */
function messageText({ text, message }: Record<string, unknown>): string {
  return String(text ?? message ?? '');
}
