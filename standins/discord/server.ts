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
import { answerAuthorize, type Codes, exchangeCode } from './consent.ts';

/** Discord's webhooks of three channels, on this machine alone. */
export function startDiscordStandin(options: StandinOptions): Promise<WebhookChatStandin> {
  return startWebhookChat(discord(), options);
}

/** The address of a channel's webhook. */
export function webhookOf(url: string, { key }: Pick<Channel, 'key'>): string {
  return `${url}/api/webhooks/${key}`;
}

export const channels = ['trésorerie', 'bureau', 'général'].map((name, index) => ({
  id: `salon-${index + 1}`,
  name,
  key: `34711475088012086${index + 1}/demonstration-demonstration-demonstration-0${index + 1}`,
}));

/** With one-time codes of its own. */
function discord(): WebhookChat {
  const codes: Codes = new Map();
  return {
    appearance: {
      ...{ name: 'Discord', channelsLabel: 'Salons', sign: '# ' },
      ...{ side: '#2b2d31', sideText: '#f2f3f5', chosen: '#ffffff24' },
      addressOf: webhookOf,
      actions: [
        ['deleted', 'Supprimer le webhook'],
        ['forum', 'En faire un forum'],
      ],
      states: { deleted: 'Le webhook est supprimé.', forum: 'Ce salon est un forum.' },
      draw: drawMessage,
      style:
        '.embed{border-left:4px solid #5865f2;background:var(--soft);border-radius:4px;padding:8px 12px;margin:4px 0;max-width:520px}.small{color:var(--quiet);font-size:13px}@media (max-width:640px){.embed{padding:8px}.embed pre{margin:4px 0;padding:6px;font-size:10.5px}}',
    },
    channels,
    apiPath: /^\/api\//,
    channelOf: (channels, { path }) =>
      channels.find(({ key }) => path.replace(/^\/api\/v\d+/, '/api') === `/api/webhooks/${key}`),
    answer: (request, channel, store) =>
      /^\/api(\/v\d+)?\/oauth2\/token$/.test(request.path)
        ? exchangeCode(request, store.channels, codes)
        : answer(request, channel, store),
    page: (request, channels) => answerAuthorize(request, channels, codes),
    countMentions,
    faultShapes: {
      error: (code = '0', extra) =>
        failure(Number(extra.status ?? 400), Number(code), 'Something went wrong'),
      tooMany: (seconds) =>
        seconds === null
          ? failure(429, 0, addressBan)
          : json(
              429,
              { message: 'You are being rate limited.', retry_after: seconds, global: false },
              { 'retry-after': String(Math.ceil(seconds)), 'x-ratelimit-scope': 'shared' },
            ),
      failure: (status) => plainText(status, 'server error'),
    },
  };
}

function answer(request: Request, channel: Channel | undefined, store: MessageStore): Answer {
  if (!channel || channel.state === 'deleted') return failure(404, 10015, 'Unknown Webhook');
  const [id, token] = channel.key.split('/');
  if (request.method === 'GET') return json(200, { id, token, type: 1, name: 'Tirelire' });
  if (request.method === 'DELETE') {
    channel.state = 'deleted';
    return { status: 204, headers: {}, body: '' };
  }
  if (request.method !== 'POST') return failure(405, 0, '405: Method Not Allowed');
  const read = readJson(request);
  if ('fault' in read) return failure(400, 50109, 'The request body contains invalid JSON.');
  if (channel.state === 'forum') {
    return failure(400, 220001, 'Webhooks posted to forum channels must have a thread_name');
  }
  const faults = faultsOf(read.value);
  if (faults) return invalidForm(faults);
  const arrived = store.add(channel, read.value);
  // Without `wait` nothing says whether the message was saved.
  if (request.query.get('wait') !== 'true') return { status: 204, headers: {}, body: '' };
  const snowflake = String(BigInt(Date.parse(arrived.at)) << 22n);
  return json(200, { id: snowflake, type: 0, content: read.value.content, channel_id: id });
}

/** The field that breaks one of the limits; `empty` for a message without anything. */
function faultsOf({ content, embeds, username }: Record<string, unknown>): string | null {
  const described = descriptions(embeds);
  if (String(content ?? '') === '' && described.length === 0) return 'empty';
  if (String(content ?? '').length > 2000) return 'content';
  if (described.some((text) => text.length > 4096)) return 'embeds';
  if (described.join('').length > 6000) return 'embeds';
  return /discord|clyde/i.test(String(username ?? '')) ? 'username' : null;
}

function invalidForm(field: string): Answer {
  if (field === 'empty') return failure(400, 50006, 'Cannot send an empty message');
  const errors = {
    [field]: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be shorter.' }] },
  };
  return json(400, { message: 'Invalid Form Body', code: 50035, errors });
}

/** Of an address that was told to wait too often; no time is said. */
const addressBan =
  'You are being blocked from accessing our API temporarily due to exceeding our rate limits frequently.';

function failure(status: number, code: number, message: string): Answer {
  return json(status, { message, code });
}

/** Mentions ring in the content alone, as far as `allowed_mentions` lets them: all, where it is missing. */
function countMentions({ content, allowed_mentions: allowed }: Record<string, unknown>): number {
  const parse = (allowed as { parse?: string[] } | undefined)?.parse ?? [
    'everyone',
    'roles',
    'users',
  ];
  const text = String(content ?? '');
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return (
    (parse.includes('everyone') ? count(/@(everyone|here)\b/g) : 0) +
    (parse.includes('users') ? count(/<@!?\d+>/g) : 0) +
    (parse.includes('roles') ? count(/<@&\d+>/g) : 0)
  );
}

function descriptions(embeds: unknown): string[] {
  if (!Array.isArray(embeds)) return [];
  return embeds.map((embed: { description?: unknown }) => String(embed.description ?? ''));
}

function drawMessage({ content, embeds }: Record<string, unknown>): string {
  const boxes = descriptions(embeds).map(
    (text) => `<div class="embed">${drawMarkdown(text)}</div>`,
  );
  return drawMarkdown(String(content ?? '')) + boxes.join('');
}

/** Discord's Markdown as HTML, as far as the product writes it. */
function drawMarkdown(text: string): string {
  return text
    .split(/(```\n[\s\S]*?\n```)/)
    .map((part, index) =>
      index % 2 === 1
        ? `<pre>${escapeHtml(part.slice(4, -4))}</pre>`
        : part.trim().split('\n').map(drawLine).join('<br>'),
    )
    .join('');
}

function drawLine(line: string): string {
  if (line.startsWith('-# ')) return `<span class="small">${drawInline(line.slice(3))}</span>`;
  if (line.startsWith('> ')) return `<blockquote>${drawInline(line.slice(2))}</blockquote>`;
  return drawInline(line);
}

/**
 * Addresses are put aside as they stand: a bare one takes backslashes too. Signs after a backslash follow,
 * so that they style nothing.
 */
function drawInline(line: string): string {
  const aside: string[] = [];
  const keep = (html: string) => `\ue000${aside.push(html) - 1}\ue001`;
  const kept = line
    .replace(/(?<!\\)\[([^\]]*)\]\(<(https?:[^\s>]+)>\)/g, (_all, label, url) =>
      keep(linkTo(url, label)),
    )
    .replace(/<(https?:[^\s>]+)>/g, (_all, url) => keep(linkTo(url, url)))
    .replace(/\bhttps?:[^\s<]+[^\s<.,:;"')\]]/g, (url) => keep(linkTo(url, url)))
    .replace(/\\([!-/:-@[-`{-~])/g, (_all, sign) => keep(escapeHtml(sign)));
  return escapeHtml(kept)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replace(/(?<![\p{L}\p{N}])_(.+?)_(?![\p{L}\p{N}])/gu, '<em>$1</em>')
    .replace(/~~(.+?)~~/g, '<s>$1</s>')
    .replace(/\ue000(\d+)\ue001/g, (_all, at) => aside[Number(at)] ?? '');
}

function linkTo(url: string, label: string): string {
  return `<a href="${escapeHtml(url)}" rel="noreferrer">${escapeHtml(label)}</a>`;
}
