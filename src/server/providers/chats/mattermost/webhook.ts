import type { GuardedClient } from '../../../platform/http-client/guarded-client.ts';
import type { HttpClient, IncomingResponse } from '../../../platform/http-client/http-client.ts';
import {
  digestOf,
  ofOneChannel,
  permanent,
  postJson,
  postWithPlainFallback,
  readAddress,
  resultOfStatus,
} from '../json-posting.ts';
import { ChatProviderError, type FormLinking } from '../port.ts';
import type { OutgoingMessage, PostResult } from '../posting.ts';
import { knownFailure } from './answers.ts';
import { markdown, markdownOf, withinPost } from './markdown.ts';

/**
 * An incoming webhook: developers.mattermost.com/integrate/webhooks/incoming. Its address is the
 * secret, and leads to one channel.
 */
export function webhookLinking(client: GuardedClient): FormLinking {
  return {
    way: 'address',
    steps: [
      'Dans Mattermost, ouvrez le menu «\u202fIntégrations\u202f», puis «\u202fWebhooks entrants\u202f» et «\u202fAjouter\u202f».',
      'Choisissez le canal, cochez «\u202fVerrouiller sur ce canal\u202f» et enregistrez.',
      "Copiez l'adresse du webhook et collez-la ici.",
    ],
    fields: [
      {
        name: 'address',
        label: 'Adresse du webhook',
        secret: true,
        pattern: '\\s*https?://[^\\s?#]+/hooks/[a-z0-9]{26}/?\\s*',
        help: 'Elle ressemble à https://mattermost.exemple.fr/hooks/ suivi de 26 lettres et chiffres.',
      },
      {
        name: 'label',
        label: 'Nom du canal',
        secret: false,
        pattern: '.*\\S.*',
        help: 'Mattermost ne nous dit pas le nom du canal\u202f: écrivez celui que vous voulez voir ici.',
      },
    ],
    unseen: null,
    async link({ address, label = '' }) {
      const url = readAddress('mattermost', address);
      if (!client.allows(url)) {
        throw new ChatProviderError('mattermost', 'refused-host', 'not_allowed');
      }
      const secret = url.href.replace(/\/$/, '');
      const teamId = digestOf(secret);
      return { secret, teamId, ...ofOneChannel(label), scope: 'incoming-webhook' };
    },
  };
}

export async function postToWebhook(
  client: HttpClient,
  secret: string,
  message: OutgoingMessage,
): Promise<PostResult> {
  const { blocks, text } = message;
  const send = (isDrawn: boolean) => {
    const drawn = isDrawn && blocks ? markdown(blocks) : markdownOf(text);
    const body = { text: withinPost(drawn), username: 'Tirelire' };
    return postJson(client, secret, body, classify);
  };
  return await postWithPlainFallback(send, Boolean(blocks?.length), refusedDrawings);
}

const refusedDrawings: ReadonlySet<string> = new Set(['split_props_length']);

function classify(answer: IncomingResponse): PostResult {
  if (answer.status !== 200) return knownFailure(answer, results) ?? resultOfStatus(answer);
  return answer.body.trim() === 'ok'
    ? { end: 'posted', receipt: null, certainty: 'shown' }
    : { end: 'ambiguous', code: 'unreadable_answer' };
}

/** By the beginning of the id. */
const results: [string, PostResult][] = [
  ['web.incoming_webhook.invalid.', permanent('installation', 'hook_gone')],
  ['web.incoming_webhook.disabled.', permanent('permission', 'hooks_off')],
  ['web.incoming_webhook.channel.', permanent('installation', 'channel_gone')],
  ['app.channel.get.existing.', permanent('installation', 'channel_gone')],
  ['web.incoming_webhook.user.', permanent('installation', 'maker_gone')],
  ['web.incoming_webhook.permissions.', permanent('installation', 'not_allowed')],
  ['web.incoming_webhook.channel_locked.', permanent('installation', 'not_allowed')],
  ['api.context.permissions.', permanent('installation', 'not_allowed')],
  ['web.incoming_webhook.split_props_length.', { end: 'fault', code: 'split_props_length' }],
  // It wraps every failure of saving, and may come after the first of several pieces.
  ['api.post.create_webhook_post.creating.', { end: 'ambiguous', code: 'not_saved' }],
];
