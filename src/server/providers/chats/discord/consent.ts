import type { HttpClient } from '../../../platform/http-client/http-client.ts';
import { ConsentQuery, readConsentReturn } from '../consent-return.ts';
import { ofOneChannel, printable, readObject } from '../json-posting.ts';
import { ChatProviderError, type ConsentLinking, type LinkedTeam } from '../port.ts';
import { throwUnreached } from './unreached.ts';
import { headers } from './webhook.ts';

/** The operator's application, where there is one: people then choose a channel on Discord's page. */
export interface Application {
  clientId: string;
  clientSecret: string;
  authorizeUrl: string;
}

/** discord.com/developers/docs/topics/oauth2#webhooks: each consent makes a webhook. */
export function consentLinking(
  client: HttpClient,
  apiUrl: string,
  { clientId, clientSecret, authorizeUrl }: Application,
): ConsentLinking {
  return {
    way: 'consent',
    connect: {
      path: '/messengers/discord/connect',
      summary: "L'adresse où choisir un salon Discord",
    },
    callback: {
      path: '/messengers/discord/callback',
      summary: "Le retour de la page d'autorisation de Discord",
      query: ConsentQuery,
    },
    authorizeUrl({ redirectUri, state }) {
      const url = new URL(authorizeUrl);
      const parameters = { client_id: clientId, scope, redirect_uri: redirectUri, state };
      for (const [name, value] of Object.entries({ response_type: 'code', ...parameters })) {
        url.searchParams.set(name, value);
      }
      return url.href;
    },
    readReturn: readConsentReturn,
    async exchangeCode({ code, redirectUri }) {
      const given = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
      const form = { ...given, client_id: clientId, client_secret: clientSecret };
      return linkOf(await exchange(client, apiUrl, form));
    },
    notices: { cancelled: 'chat-cancelled', failed: 'chat-failed', expired: 'chat-expired' },
    noticeOf: ({ code }) => (code === 'invalid_grant' ? 'chat-expired' : 'chat-failed'),
  };
}

const scope = 'webhook.incoming';

/** Takes a form alone. Its answer holds tokens of the person too, which are not ours to use. */
async function exchange(
  client: HttpClient,
  apiUrl: string,
  form: Record<string, string>,
): Promise<Record<string, unknown>> {
  const answer = await client
    .request({
      method: 'POST',
      url: `${apiUrl}/oauth2/token`,
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams(form)),
      timeoutMs: 10_000,
    })
    .catch(throwUnreached);
  const body = readObject(answer.body);
  if (answer.status === 200 && body) return body;
  const kind = answer.status >= 500 || answer.status === 429 ? 'unavailable' : 'fault';
  const code = printable(body?.error) || `http_${answer.status}`;
  throw new ChatProviderError('discord', kind, code);
}

function linkOf({ webhook }: Record<string, unknown>): LinkedTeam {
  const { id, token, name } = Object(webhook) as Record<string, unknown>;
  if (typeof id !== 'string' || typeof token !== 'string') {
    throw new ChatProviderError('discord', 'fault', 'no_webhook');
  }
  return {
    secret: JSON.stringify({ id, token, isOurs: true }),
    teamId: id,
    ...ofOneChannel(typeof name === 'string' && name.trim() ? name : 'Discord'),
    scope,
  };
}

/** Ends a webhook that a consent made; one whose address was pasted is its maker's. */
export async function revoke(client: HttpClient, apiUrl: string, secret: string): Promise<void> {
  const { id, token, isOurs } = JSON.parse(secret) as Record<string, unknown>;
  if (isOurs !== true) return;
  const { status, body } = await client
    .request({
      method: 'DELETE',
      url: `${apiUrl}/webhooks/${id}/${token}`,
      headers,
      timeoutMs: 10_000,
    })
    .catch(throwUnreached);
  const { code } = readObject(body) ?? {};
  if (status === 204 || goneAlready.has(code)) return;
  // Without a code something in between has answered.
  const isRefused = status < 500 && status !== 429 && typeof code === 'number';
  throw new ChatProviderError('discord', isRefused ? 'fault' : 'unavailable', `http_${status}`);
}

/** An unknown webhook, and a token that opens none. */
const goneAlready: ReadonlySet<unknown> = new Set([10015, 50027]);
