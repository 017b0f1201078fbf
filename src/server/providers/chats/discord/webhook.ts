import type { HttpClient, IncomingResponse } from '../../../platform/http-client/http-client.ts';
import {
  limited,
  ofOneChannel,
  permanent,
  postJson,
  postWithPlainFallback,
  readObject,
  readSecondsHeader,
  resultOfStatus,
} from '../json-posting.ts';
import { ChatProviderError, type FormLinking } from '../port.ts';
import type { OutgoingMessage, PostResult } from '../posting.ts';
import { bodyOf } from './embeds.ts';
import { throwUnreached } from './unreached.ts';

/** Discord asks every program to say what it is; requests that do not may be blocked. */
export const headers = { 'user-agent': 'DiscordBot (tirelire, 1.0)' };

/**
 * An incoming webhook: discord.com/developers/docs/resources/webhook. Of the address that is pasted
 * only the id and the token are kept: the host that is called is always Discord's.
 */
export function webhookLinking(client: HttpClient, apiUrl: string): FormLinking {
  const hosts = 'discord(?:app)?\\.com|(?:canary|ptb)\\.discord\\.com';
  const own = new URL(apiUrl).origin.replace(/[.]/g, '\\.');
  const pattern = `\\s*(?:https://(?:${hosts})|${own})/api/(?:v\\d+/)?webhooks/\\d{17,20}/[A-Za-z0-9_\\-]{40,120}/?\\s*`;
  return {
    way: 'address',
    steps: [
      'Sur Discord, ouvrez les paramètres du salon, puis «\u202fIntégrations\u202f» et «\u202fWebhooks\u202f».',
      "Créez un webhook, puis choisissez «\u202fCopier l'URL du webhook\u202f».",
      "Collez l'adresse ici.",
    ],
    fields: [
      {
        name: 'address',
        label: 'Adresse du webhook',
        secret: true,
        pattern,
        help: 'Elle commence par https://discord.com/api/webhooks/.',
      },
      {
        name: 'label',
        label: 'Nom du salon',
        secret: false,
        pattern: '.*\\S.*',
        help: 'Discord ne nous dit pas le nom du salon\u202f: écrivez celui que vous voulez voir ici.',
      },
    ],
    unseen: null,
    async link({ address = '', label = '' }) {
      const [, id = '', token = ''] = /\/(\d{17,20})\/([\w-]{40,120})/.exec(address) ?? [];
      await lookUp(client, `${apiUrl}/webhooks/${id}/${token}`);
      const secret = JSON.stringify({ id, token });
      return { secret, teamId: id, ...ofOneChannel(label), scope: 'webhook' };
    },
  };
}

async function lookUp(client: HttpClient, url: string): Promise<void> {
  const answer = await client
    .request({ method: 'GET', url, headers, timeoutMs: 10_000 })
    .catch(throwUnreached);
  const { status, body } = answer;
  const found = readObject(body);
  // 1: an incoming webhook, and no follower of another channel.
  if (status === 200 && found?.type === 1) return;
  if (status === 429) {
    const retryAfterSeconds = Math.ceil(secondsAsked(answer) ?? 1);
    throw new ChatProviderError('discord', 'unavailable', 'limited', { retryAfterSeconds });
  }
  // Discord refuses in JSON: a page comes from what stands between.
  const kind = status >= 500 || found === null ? 'unavailable' : 'address';
  throw new ChatProviderError('discord', kind, `http_${status}`);
}

export async function postToWebhook(
  client: HttpClient,
  apiUrl: string,
  secret: string,
  { text, blocks = [] }: OutgoingMessage,
): Promise<PostResult> {
  const { id, token } = JSON.parse(secret) as { id: string; token: string };
  // Without `wait`, a message that was not saved would be answered like one that was.
  const url = `${apiUrl}/webhooks/${id}/${token}?wait=true`;
  return await postWithPlainFallback(
    (isDrawn) => postJson(client, url, bodyOf(text, isDrawn ? blocks : []), classify, headers),
    blocks.length > 0,
    refusedBodies,
  );
}

const refusedBodies: ReadonlySet<string> = new Set([
  'discord_50035',
  'discord_50006',
  'discord_40005',
  'refused_413',
]);

/** discord.com/developers/docs/topics/opcodes-and-status-codes#json */
function classify(answer: IncomingResponse): PostResult {
  const { status } = answer;
  const body = readObject(answer.body);
  if (status === 200) {
    return typeof body?.id === 'string' && /^\d{1,20}$/.test(body.id)
      ? { end: 'posted', receipt: body.id, certainty: 'shown' }
      : { end: 'ambiguous', code: 'unreadable_answer' };
  }
  if (status === 429) {
    const seconds = secondsAsked(answer);
    if (typeof body?.retry_after === 'number') {
      return limited(body.global === true ? 'service' : 'channel', seconds);
    }
    // Cloudflare's, as a page or as JSON, which stands before Discord: it counts by our address, and a
    // longer time.
    return limited('service', Math.max(60, seconds ?? 0));
  }
  const code = typeof body?.code === 'number' ? body.code : null;
  const known = code === 0 ? uncoded[status] : results[code ?? 0];
  if (known) return known;
  if (code && status < 500) return { end: 'fault', code: `discord_${code}` };
  return resultOfStatus(answer);
}

/** The body has the fraction that the header rounds. */
function secondsAsked(answer: IncomingResponse): number | null {
  const asked = readObject(answer.body)?.retry_after;
  return typeof asked === 'number' && asked >= 0 ? asked : readSecondsHeader(answer, 'retry-after');
}

/** What is refused in Discord's form without a code of its own. */
const uncoded: Record<number, PostResult | undefined> = {
  401: permanent('installation', 'token_wrong'),
  403: permanent('permission', 'not_allowed'),
  404: permanent('installation', 'webhook_gone'),
};

const forum = permanent('installation', 'forum');

const results: Record<number, PostResult | undefined> = {
  10015: permanent('installation', 'webhook_gone'),
  10003: permanent('installation', 'channel_gone'),
  50027: permanent('installation', 'token_wrong'),
  50013: permanent('permission', 'not_allowed'),
  50001: permanent('permission', 'not_allowed'),
  200000: permanent('permission', 'moderated'),
  240000: permanent('permission', 'moderated'),
  220001: forum,
  220002: forum,
  220003: forum,
  220004: forum,
  130000: { end: 'transient', code: 'overloaded', limitScope: null, retryAfterSeconds: null },
};
