import type { Channel } from '../service/channel.ts';
import type { StandinOptions } from '../service/options.ts';
import { type Request, readJson } from '../service/request.ts';
import { type Answer, empty, json } from '../service/responses.ts';
import {
  type MessageStore,
  plainText,
  startWebhookChat,
  type WebhookChat,
  type WebhookChatStandin,
} from '../service/webhook-chat.ts';
import { cardFault, drawMessage, textOf } from './cards.ts';

/** Workflows of three channels of Teams, on this machine alone. */
export function startTeamsStandin(options: StandinOptions): Promise<WebhookChatStandin> {
  return startWebhookChat(teams, options);
}

const start = '/powerautomate/automations/direct/workflows/';
const end = '/triggers/manual/paths/invoke';

/** The address of a channel's workflow. */
export function workflowOf(url: string, { id, key }: Pick<Channel, 'id' | 'key'>): string {
  return `${url}${start}${id}${end}?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=${key}`;
}

export const channels = ['Trésorerie', 'Direction', 'Général'].map((name, index) => ({
  id: `0123456789abcdef0123456789abcde${index + 1}`,
  name,
  key: `signature-de-demonstration-0123456789-abcde${index + 1}`,
}));

const teams: WebhookChat = {
  appearance: {
    ...{ name: 'Microsoft Teams', channelsLabel: 'Canaux', sign: '' },
    ...{ side: '#3d3e66', sideText: '#fff', chosen: '#ffffff29' },
    addressOf: workflowOf,
    actions: [
      ['disabled', 'Désactiver le flux'],
      ['deleted', 'Supprimer le flux'],
      ['closed', 'Réserver le flux à certaines personnes'],
      ['failing', 'Accepter les messages sans les publier'],
    ],
    states: {
      disabled: 'Le flux est désactivé.',
      deleted: 'Le flux est supprimé.',
      closed: 'Le flux est réservé à certaines personnes.',
      failing: "Le flux accepte les messages et n'en publie aucun.",
    },
    draw: drawMessage,
    style:
      'table{width:100%;table-layout:fixed}td,th{padding:4px 6px;font-size:14px}td p,th p{margin:0}.right{white-space:normal}.emphasis{background:var(--soft)}.attention{color:#c4314b}.warning{color:#8a5300}',
  },
  channels,
  apiPath: /^\/powerautomate\//,
  channelOf: (channels, { path }) =>
    channels.find(({ id }) => path.replace(/\/$/, '') === `${start}${id}${end}`),
  answer,
  // A text calls somebody when an entity of the card says who it is.
  countMentions(body) {
    const entities = JSON.stringify(body).match(/"entities":/g)?.length ?? 0;
    return entities * (textOf(body).match(/<at>/gi)?.length ?? 0);
  },
  faultShapes: {
    error: (code = 'InternalServerError', extra) =>
      failure(Number(extra.status ?? 500), code, String(extra.message ?? 'An error.')),
    tooMany: (seconds) => ({
      ...failure(429, 'TooManyRequests', 'Rate limit is exceeded.'),
      ...(seconds !== null && {
        headers: { 'content-type': 'application/json', 'retry-after': String(seconds) },
      }),
    }),
    failure: (status) => plainText(status, 'server error'),
  },
};

/** The run is started and the answer is empty; what the card lacks shows in the run's history alone. */
function answer(request: Request, channel: Channel | undefined, store: MessageStore): Answer {
  if (!channel) return failure(404, 'WorkflowNotFound', 'The workflow could not be found.');
  if (request.query.get('sig') !== channel.key) {
    return failure(401, 'InvalidSignature', 'The signature is not valid.');
  }
  if (channel.state === 'disabled' || channel.state === 'deleted') {
    const state = channel.state === 'deleted' ? 'Deleted' : 'Disabled';
    const words = `Could not execute workflow '${workflowId}' trigger 'manual' with state '${state}': trigger is not enabled.`;
    return failure(400, 'WorkflowTriggerIsNotEnabled', words);
  }
  if (channel.state === 'closed') {
    return failure(401, 'DirectApiAuthorizationRequired', 'The request must be authenticated.');
  }
  const read = readJson(request);
  if ('fault' in read || read.value.type !== 'message' || !Array.isArray(read.value.attachments)) {
    return failure(400, 'TriggerInputSchemaMismatch', 'The input does not match the schema.');
  }
  if (Buffer.byteLength(request.text) > 28_000) return plainText(413, 'Request Entity too large');
  if (channel.state !== 'failing' && cardFault(read.value) === null) store.add(channel, read.value);
  return empty(202);
}

/** What Microsoft calls a workflow in its sentences, which is not what its address calls it. */
const workflowId = '0b0e7c2a-3f0a-4c38-9a55-0d8a1d6f2b11';

function failure(status: number, code: string, message: string): Answer {
  return json(status, { error: { code, message } });
}
