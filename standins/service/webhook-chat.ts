import type { Channel, PostedMessage } from './channel.ts';
import { type Appearance, channelPage } from './channel-page.ts';
import { answerControl } from './control.ts';
import {
  createFaults,
  type Fault,
  type FaultShapes,
  type Faults,
  faultControl,
  playFault,
} from './faults.ts';
import type { StandinOptions } from './options.ts';
import {
  fieldsOf,
  isFromOwnPage,
  type Request,
  type RequestRecord,
  recordRequest,
} from './request.ts';
import { type Answer, page, redirect } from './responses.ts';
import { readSaved, saveState } from './saved-state.ts';
import { startHttpServer } from './server.ts';

/** A stand-in of a chat whose channels are posted to at an address that names the channel and its key. */
export interface WebhookChatStandin {
  /** Without a trailing slash; it is also the page for people. */
  url: string;
  control: WebhookChatControl;
  close(): Promise<void>;
}

export interface ChannelFault extends Fault {
  channel?: string;
}

/** What one chat does in its own way. */
export interface WebhookChat {
  appearance: Appearance;
  channels: Pick<Channel, 'id' | 'name' | 'key'>[];
  /** The paths of its API. */
  apiPath: RegExp;
  /** The channel that a request of the API is about. */
  channelOf(channels: readonly Channel[], request: Request): Channel | undefined;
  /** What the chat answers; `store.add` makes the message stand in the channel and returns its id. */
  answer(request: Request, channel: Channel | undefined, store: MessageStore): Answer;
  /** Other pages of its own; null for a path that is none of them. */
  page?(request: Request, channels: readonly Channel[]): Answer | null;
  /** How many people would be called by a message as it stands. */
  countMentions(body: Record<string, unknown>): number;
  faultShapes: FaultShapes;
}

export interface MessageStore {
  now(): Date;
  channels: readonly Channel[];
  add(channel: Channel, body: Record<string, unknown>): PostedMessage;
}

type WebhookChatControl = ReturnType<typeof createControl>;

const keptMessages = 200;

export async function startWebhookChat(
  chat: WebhookChat,
  { port = 0, clock, stateFile = null }: StandinOptions,
): Promise<WebhookChatStandin> {
  const channels = openChannels(chat, stateFile);
  const saved = saveState(stateFile, () => channels);
  const faults = createFaults<ChannelFault>(1);
  const requests: RequestRecord[] = [];
  const control = createControl({ chat, channels, faults, requests, changed: saved.changed }, () =>
    server.breakStalled(),
  );
  const store: MessageStore = { now: () => clock.now(), channels, add };
  const server = await startHttpServer(port, (request): Answer | Promise<Answer> => {
    if (request.path.startsWith('/_control/')) return answerControl(control, request);
    if (!chat.apiPath.test(request.path)) return answerPage(request);
    recordRequest(requests, request);
    const channel = chat.channelOf(channels, request);
    const fault = faults.take((one) => one.channel === undefined || one.channel === channel?.id);
    const work = () => chat.answer(request, channel, store);
    return fault ? playFault(fault, work, chat.faultShapes) : work();
  });
  return {
    url: server.url,
    control,
    async close() {
      await server.close();
      await saved.close();
    },
  };

  function add(channel: Channel, body: Record<string, unknown>): PostedMessage {
    const at = clock.now().toISOString();
    const arrived = {
      id: `m${channel.id}${channel.messages.length + 1}-${Date.parse(at)}`,
      at,
      body,
    };
    channel.messages.push(arrived);
    if (channel.messages.length > keptMessages) channel.messages.shift();
    saved.changed();
    return arrived;
  }

  function answerPage(request: Request): Answer {
    const own = chat.page?.(request, channels);
    if (own) return own;
    const [, folder, id] = request.path.split('/');
    const channel = folder === 'salons' ? channels.find((one) => one.id === id) : channels[0];
    if (!channel || !['', 'salons'].includes(folder ?? ''))
      return page(404, "Cette page n'existe pas.");
    if (request.method === 'POST') {
      if (!isFromOwnPage(request)) return page(403, 'Accès refusé.');
      const { state = 'open' } = fieldsOf(new URLSearchParams(request.text));
      control.setState(channel.id, state);
      return redirect(`/salons/${channel.id}`);
    }
    return page(200, channelPage(chat.appearance, channels, channel, server.url), {
      ownForms: true,
    });
  }
}

function openChannels({ channels }: WebhookChat, stateFile: string | null): Channel[] {
  const before = readSaved(stateFile);
  const known = new Map(
    Array.isArray(before) ? before.map((channel: Channel) => [channel.id, channel]) : [],
  );
  return channels.map((channel) => ({
    state: 'open',
    messages: [],
    ...known.get(channel.id),
    ...channel,
  }));
}

interface ControlContext {
  chat: WebhookChat;
  channels: Channel[];
  faults: Faults<ChannelFault>;
  requests: RequestRecord[];
  changed(): void;
}

/** What tests and the demonstration do behind the chat's back; over HTTP too, under `/_control/`. */
function createControl(
  { chat, channels, faults, requests, changed }: ControlContext,
  breakStalled: () => void,
) {
  const channelOf = (id: string): Channel => {
    const channel = channels.find((one) => one.id === id);
    if (!channel) throw new Error(`no such channel: ${id}`);
    return channel;
  };
  return {
    ...faultControl(faults, requests, breakStalled),
    messages: (id: string) => channelOf(id).messages,
    /** How many people all that arrived would have called. */
    mentionCount: () =>
      channels
        .flatMap(({ messages }) => messages)
        .reduce((sum, { body }) => sum + chat.countMentions(body), 0),
    clearMessages() {
      for (const channel of channels) channel.messages.length = 0;
      changed();
    },
    setState(id: string, state: string) {
      channelOf(id).state = state;
      changed();
    },
  };
}

/** The body that a stand-in answers with where it has nothing of its own to say. */
export function plainText(status: number, body: string, headers: Record<string, string> = {}) {
  return { status, headers: { 'content-type': 'text/plain', ...headers }, body };
}
