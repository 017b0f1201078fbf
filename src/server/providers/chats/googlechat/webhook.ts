import type { HttpClient, IncomingResponse } from '../../../platform/http-client/http-client.ts';
import {
  limited,
  ofOneChannel,
  permanent,
  postJson,
  postWithPlainFallback,
  printable,
  readAddress,
  readObject,
  readSecondsHeader,
  resultOfStatus,
} from '../json-posting.ts';
import type { FormLinking } from '../port.ts';
import type { OutgoingMessage, PostResult } from '../posting.ts';
import { bodyOf } from './card.ts';

/**
 * An incoming webhook: developers.google.com/workspace/chat/quickstart/webhooks. Of the address that is
 * pasted only space, key and token are kept: the host that is called is always Google's.
 */
export function webhookLinking(apiUrl: string): FormLinking {
  const own = new URL(apiUrl).origin.replaceAll('.', '\\.');
  return {
    way: 'address',
    steps: [
      "Dans Google Chat, ouvrez le menu de l'espace, puis «\u202fApplications et intégrations\u202f» et «\u202fWebhooks\u202f».",
      'Ajoutez un webhook nommé Tirelire.',
      'Copiez son adresse et collez-la ici.',
    ],
    fields: [
      {
        name: 'address',
        label: 'Adresse du webhook',
        secret: true,
        pattern: `\\s*(?:https://chat\\.googleapis\\.com|${own})/v1/spaces/[A-Za-z0-9_\\-]+/messages\\?(?=\\S*\\bkey=)(?=\\S*\\btoken=)\\S+\\s*`,
        help: 'Elle commence par https://chat.googleapis.com/v1/spaces/.',
      },
      {
        name: 'label',
        label: "Nom de l'espace",
        secret: false,
        pattern: '.*\\S.*',
        help: "Google Chat ne nous dit pas le nom de l'espace\u202f: écrivez celui que vous voulez voir ici.",
      },
    ],
    unseen: null,
    async link({ address, label = '' }) {
      const url = readAddress('googlechat', address);
      const space = url.pathname.split('/')[3] ?? '';
      const [key, token] = [url.searchParams.get('key'), url.searchParams.get('token')];
      const secret = JSON.stringify({ space, key, token });
      return { secret, teamId: space, ...ofOneChannel(label), scope: 'webhook' };
    },
  };
}

export async function postToWebhook(
  client: HttpClient,
  apiUrl: string,
  secret: string,
  { text, blocks = [], clientMessageId }: OutgoingMessage,
): Promise<PostResult> {
  const { space, key, token } = JSON.parse(secret) as Record<string, string>;
  const send = (isDrawn: boolean) => {
    const query = new URLSearchParams({ key: key ?? '', token: token ?? '' });
    // Where it is taken, a second call with it answers with the message of the first.
    if (isDrawn) query.set('requestId', clientMessageId);
    const url = `${apiUrl}/spaces/${space}/messages?${query}`;
    return postJson(client, url, bodyOf(text, isDrawn ? blocks : []), classify);
  };
  // A card, or the id, may be refused: the text then goes out without either.
  return await postWithPlainFallback(send, true, refusedBodies);
}

const refusedBodies: ReadonlySet<string> = new Set(['invalid_argument']);

/** cloud.google.com/apis/design/errors: the same form for every service of Google's. */
function classify(answer: IncomingResponse): PostResult {
  const { status } = answer;
  const body = readObject(answer.body);
  if (status === 200) {
    const receipt = printable(body?.name);
    return receipt.startsWith('spaces/')
      ? { end: 'posted', receipt, certainty: 'shown' }
      : { end: 'ambiguous', code: 'unreadable_answer' };
  }
  if (status === 429) return limited('team', readSecondsHeader(answer, 'retry-after'));
  const error = body?.error as { status?: unknown; details?: unknown } | undefined;
  const details = Array.isArray(error?.details) ? error.details : [];
  // Its status is that of a wrong body.
  if (details.some((detail) => Object(detail).reason === 'API_KEY_INVALID')) return tokenWrong;
  return results[printable(error?.status)] ?? resultOfStatus(answer);
}

const tokenWrong = permanent('installation', 'token_wrong');

const results: Record<string, PostResult | undefined> = {
  INVALID_ARGUMENT: { end: 'fault', code: 'invalid_argument' },
  UNAUTHENTICATED: tokenWrong,
  PERMISSION_DENIED: permanent('installation', 'webhook_removed'),
  NOT_FOUND: permanent('installation', 'space_gone'),
  // The id of this message stands: it was posted.
  ALREADY_EXISTS: { end: 'posted', receipt: null, certainty: 'shown' },
};
