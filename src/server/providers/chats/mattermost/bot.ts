import type { GuardedClient } from '../../../platform/http-client/guarded-client.ts';
import type { IncomingResponse } from '../../../platform/http-client/http-client.ts';
import { readJson } from '../../../platform/http-client/json.ts';
import { NetworkError } from '../../../platform/http-client/network-error.ts';
import {
  permanent,
  postJson,
  postWithPlainFallback,
  printable,
  readAddress,
  readObject,
  resultOfStatus,
} from '../json-posting.ts';
import {
  type ChannelList,
  type ChatChannel,
  ChatProviderError,
  type FormLinking,
} from '../port.ts';
import type { OutgoingMessage, PostResult } from '../posting.ts';
import { errorId, knownFailure } from './answers.ts';
import { markdown, markdownOf, withinPost } from './markdown.ts';

/** A bot account of a server: developers.mattermost.com/integrate/reference/bot-accounts. */
interface Bot {
  /** Without a trailing slash; a server may live under a path. */
  server: string;
  token: string;
}

export function botLinking(client: GuardedClient): FormLinking {
  return {
    way: 'address',
    steps: [
      'Un administrateur du serveur ajoute un compte de bot\u202f: menu «\u202fIntégrations\u202f», puis «\u202fComptes de bot\u202f».',
      "Invitez ce bot dans l'équipe, puis dans chaque channel où il écrira.",
      "Collez ici l'adresse du serveur et le jeton du bot, qui n'est montré qu'une fois.",
    ],
    fields: [
      {
        name: 'address',
        label: 'Adresse du serveur',
        secret: false,
        pattern: '\\s*https?://[^\\s?#]+\\s*',
        help: 'Par exemple https://mattermost.exemple.fr.',
      },
      {
        name: 'token',
        label: 'Jeton du bot',
        secret: true,
        pattern: '\\s*[a-z0-9]{26}\\s*',
        help: 'Ce sont 26 lettres et chiffres.',
      },
    ],
    unseen: null,
    async link({ address, token = '' }) {
      const url = readAddress(kind, address);
      if (!client.allows(url)) throw new ChatProviderError(kind, 'refused-host', 'not_allowed');
      const server = (url.origin + url.pathname).replace(/\/+$/, '');
      const bot = { server, token: token.trim() };
      const me = readObject((await get(client, bot, '/users/me').catch(throwAsWrongAddress)).body);
      if (typeof me?.id !== 'string') throw new ChatProviderError(kind, 'address', 'no_server');
      if (me.is_bot !== true) throw new ChatProviderError(kind, 'address', 'not_a_bot');
      const teams = await teamsOf(client, bot).catch(throwAsWrongAddress);
      return {
        secret: JSON.stringify(bot),
        teamId: `${url.host}${url.pathname.replace(/\/+$/, '')}/${printable(me.id)}`,
        teamName: (teams.size === 1 ? [...teams.values()][0] : undefined) ?? url.host,
        ...{ botUserId: printable(me.id), channel: null, scope: 'bot' },
      };
    },
  };
}

const kind = 'mattermostbot';

/** Of more than a thousand channels: each comes with its purpose and its header. */
const listBytes = 1024 * 1024;

/** The channels that the bot is a member of, in all its teams. */
export async function listChannels(client: GuardedClient, secret: string): Promise<ChannelList> {
  const bot = JSON.parse(secret) as Bot;
  const teams = await teamsOf(client, bot);
  const found = readList((await get(client, bot, '/users/me/channels', listBytes)).body);
  return { channels: found.flatMap((one) => channelOf(one, teams) ?? []), complete: true };
}

export async function findChannel(
  client: GuardedClient,
  secret: string,
  id: string,
): Promise<ChatChannel | null> {
  const bot = JSON.parse(secret) as Bot;
  try {
    const { body } = await get(client, bot, `/channels/${encodeURIComponent(id)}`);
    return channelOf(readObject(body) ?? {}, await teamsOf(client, bot));
  } catch (error) {
    if (error instanceof ChatProviderError && error.kind === 'channel') return null;
    throw error;
  }
}

/**
 * With the name of its team where the bot is in several. Null for direct messages, and for an archived
 * channel.
 */
function channelOf(
  given: Record<string, unknown>,
  teams: ReadonlyMap<string, string>,
): ChatChannel | null {
  const { id, type, display_name, delete_at: archivedAt } = given;
  if (typeof id !== 'string' || (type !== 'O' && type !== 'P') || Number(archivedAt) > 0)
    return null;
  const team = teams.size > 1 ? teams.get(String(given.team_id)) : undefined;
  const own = String(display_name || id);
  const name = team ? `${team} / ${own}` : own;
  return { id, name, isPrivate: type === 'P', isExternal: false };
}

/** The names of its teams by their ids. */
async function teamsOf(client: GuardedClient, bot: Bot): Promise<Map<string, string>> {
  const teams = readList((await get(client, bot, '/users/me/teams')).body);
  return new Map(teams.map(({ id, display_name: name }) => [String(id), String(name)]));
}

function readList(body: string): Record<string, unknown>[] {
  const value = readJson(body, '\ufffd');
  if (Array.isArray(value)) return value.map((one) => ({ ...one }));
  throw new ChatProviderError(kind, 'unavailable', 'unreadable_answer');
}

async function get(
  client: GuardedClient,
  { server, token }: Bot,
  path: string,
  maxBytes?: number,
): Promise<IncomingResponse> {
  const answer = await client
    .request({
      method: 'GET',
      url: `${server}/api/v4${path}`,
      headers: { authorization: `Bearer ${token}` },
      timeoutMs: 10_000,
      ...(maxBytes && { maxBytes }),
    })
    .catch((error: unknown) => {
      if (!(error instanceof NetworkError)) throw error;
      throw new ChatProviderError(kind, 'unavailable', 'no_server', { cause: error });
    });
  if (answer.status === 200) return answer;
  const result = classify(answer);
  if (result.end === 'permanent') throw new ChatProviderError(kind, result.kind, result.code);
  const isOwn = result.end === 'transient' && !result.intercepted;
  const code = isOwn ? result.code : 'no_server';
  throw new ChatProviderError(kind, 'unavailable', code);
}

/** While a server is linked, one that does not answer or redirects is a wrong address. */
function throwAsWrongAddress(error: unknown): never {
  if (!(error instanceof ChatProviderError) || error.kind !== 'unavailable') throw error;
  const { code, cause } = error;
  // A host that may not be called gives the same error as one that does not answer.
  if (code === 'no_server' || code === 'redirected') {
    throw new ChatProviderError(kind, 'address', code, { cause });
  }
  throw error;
}

/**
 * Mattermost recognizes a repeated post by its `pending_post_id` for thirty seconds, and answers with the
 * message that already stands there.
 */
export async function postAsBot(
  client: GuardedClient,
  secret: string,
  { channelId, text, blocks = [], clientMessageId }: OutgoingMessage,
): Promise<PostResult> {
  const { server, token } = JSON.parse(secret) as Bot;
  const send = (isDrawn: boolean) => {
    const message = withinPost(isDrawn ? markdown(blocks) : markdownOf(text));
    const body = { channel_id: channelId, message, pending_post_id: clientMessageId };
    const url = `${server}/api/v4/posts?set_online=false`;
    return postJson(client, url, body, classify, { authorization: `Bearer ${token}` });
  };
  return await postWithPlainFallback(send, blocks.length > 0, new Set(['message_length']));
}

function classify(answer: IncomingResponse): PostResult {
  const { status, body } = answer;
  if (status === 201) {
    const id = readObject(body)?.id;
    return typeof id === 'string'
      ? { end: 'posted', receipt: printable(id), certainty: 'shown' }
      : { end: 'ambiguous', code: 'unreadable_answer' };
  }
  const known = knownFailure(answer, results);
  if (known) return known;
  // Its administrator has turned off what the call needs.
  const isTurnedOff = status === 501 && errorId(answer) !== '';
  return isTurnedOff ? permanent('permission', 'turned_off') : resultOfStatus(answer);
}

/** By the beginning of the id. */
const results: [string, PostResult][] = [
  ['api.context.session_expired.', permanent('installation', 'token_dead')],
  ['app.user_access_token.expired', permanent('installation', 'token_dead')],
  ['api.context.permissions.', permanent('channel', 'not_in_channel')],
  ['api.context.invalid_param.', permanent('channel', 'channel_gone')],
  ['app.channel.get.existing.', permanent('channel', 'channel_gone')],
  ['api.post.create_post.can_not_post_to_deleted.', permanent('channel', 'channel_archived')],
  ['model.post.is_valid.message_length.', { end: 'fault', code: 'message_length' }],
  ['api.post.deduplicate_create_post.pending', { end: 'ambiguous', code: 'still_saving' }],
];
