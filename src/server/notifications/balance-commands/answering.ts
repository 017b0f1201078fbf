import { localDateAt } from '../../../shared/calendar/wall-clock.ts';
import type { MessageBlock } from '../../../shared/contract/messages.ts';
import { distinctAccounts } from '../../../shared/message/duplicates.ts';
import type { MessageData } from '../../../shared/message/figures.ts';
import { renderMessage, textOf } from '../../../shared/message/render.ts';
import { asOfText } from '../../../shared/message/values.ts';
import { atMost } from '../../platform/at-most.ts';
import type { CommandCall } from '../../providers/chats/balance-command.ts';
import type { ChatProvider } from '../../providers/chats/port.ts';
import type { OutgoingMessage } from '../../providers/chats/posting.ts';
import type { NotificationsDeps } from '../deps.ts';
import { readableSecret } from '../destinations/queries.ts';
import { readData } from '../messages/queries.ts';
import { scheduleOf } from '../schedule/next-sending.ts';
import { type AnsweringMessenger, allowCommand, findAnsweringMessengers } from './queries.ts';
import { requestedFigures, type VisibleFigures, visibleFiguresOf } from './visible-figures.ts';

type Needed = Pick<
  NotificationsDeps,
  'database' | 'vault' | 'clock' | 'log' | 'bankSources' | 'configuration'
>;
type BalanceCommandCall = Extract<CommandCall, { kind: 'command' }>;
type Answer = Pick<OutgoingMessage, 'text' | 'blocks'>;

/**
 * The balances that the notifications of a channel show there, from the store, to be shown to the asker
 * alone. Nothing that a person wrote is in it: neither what was asked nor the text of a notification.
 * Where there is nothing to tell, a French sentence says why.
 */
export async function answerBalanceCommand(
  deps: Needed,
  chat: ChatProvider & { kind: string },
  { teamId, channelId, asked }: BalanceCommandCall,
): Promise<Answer> {
  const channel = { chat: chat.kind, teamId, channelId };
  if (!(await allowCommand(deps, channel))) return { text: sentences.tooMany };
  const now = deps.clock.now();
  const found = (await findAnsweringMessengers(deps, channel)).filter((one) => isSending(one, now));
  if (found.length === 0) return { text: sentences.nowhere };
  const sharing = await checkChannel(deps, chat, found, channelId);
  if (sharing === 'unknown') return { text: `${chat.name} ${sentences.silent}` };
  if (sharing === 'unseen') return { text: sentences.unseen };
  if (sharing === 'external') return { text: sentences.external };
  const data = await readData(
    deps,
    deps.database.sql,
    found.map(({ user_id: userId, messenger_id: messengerId }) => ({
      ...{ userId, messengerId, chosen: null, comparedIn: null },
      // The command asks for figures alone.
      attention: [],
    })),
  );
  const answers = found.flatMap((one, index) => {
    const stored = data[index];
    const localZone = { zone: one.zone, offsetMinutes: one.offset_minutes };
    const { publicUrl } = deps.configuration;
    return stored ? [{ ...one, data: { ...stored, now, localZone, publicUrl } }] : [];
  });
  return figuresIn(answers, asked, chat);
}

const sentences = {
  tooMany: 'Trop de demandes dans cet espace. Réessayez dans une minute.',
  nowhere: 'Tapez cette commande dans un channel où Tirelire a déjà envoyé vos soldes.',
  silent: "n'a pas répondu à temps. Réessayez dans un instant.",
  unseen: "Le bot Tirelire n'est pas dans ce channel. Invitez-le, puis réessayez.",
  external:
    "Ce channel est partagé avec une autre entreprise\u202f: les soldes n'y sont pas donnés à la demande.",
  noFigures: 'Le message que Tirelire envoie dans ce channel ne montre aucun solde.',
  notShown:
    'Le message que Tirelire envoie dans ce channel ne montre pas ce solde. Tapez la commande seule pour voir ceux que le message montre.',
};

/** Not paused until a later day by its owner. */
function isSending(row: AnsweringMessenger, now: Date): boolean {
  return row.paused_until === null || row.paused_until <= localDateAt(now, scheduleOf(row));
}

/** What is left of the three seconds for the figures must be enough on a slow day. */
const channelWithinMs = 1_500;

/**
 * Asked of the chat each time: a channel may have been shared with another company since. By the access
 * of one owner, or of the next where that one is refused.
 */
async function checkChannel(
  deps: Needed,
  chat: ChatProvider,
  destinations: AnsweringMessenger[],
  channelId: string,
): Promise<'own' | 'external' | 'unseen' | 'unknown'> {
  if (chat.channels !== 'listed') return 'unknown';
  const { findChannel } = chat;
  try {
    const found = findFirst(deps, destinations, (secret) => findChannel(secret, channelId));
    const channel = await atMost(channelWithinMs, found, 'late');
    if (channel === 'late') return 'unknown';
    if (!channel) return 'unseen';
    return channel.isExternal ? 'external' : 'own';
  } catch (error) {
    deps.log.warn(
      { err: error },
      'a balance command was not answered: the channel could not be looked up',
    );
    return 'unknown';
  }
}

/** What the first access that the chat takes finds, null for nothing. Throws when it takes none of them. */
async function findFirst<Found>(
  deps: Needed,
  destinations: AnsweringMessenger[],
  find: (secret: string) => Promise<Found | null>,
): Promise<Found | null> {
  let refusal: unknown = new Error('no access can be read');
  for (const destination of destinations.slice(0, maxAccesses)) {
    const secret = readableSecret(deps, destination);
    if (secret === null) continue;
    try {
      const found = await find(secret);
      if (found) return found;
      refusal = null;
    } catch (error) {
      refusal = error;
    }
  }
  if (refusal) throw refusal;
  return null;
}

const maxAccesses = 5;

/** Of each notification once: two of the same accounts answer alike. */
function figuresIn(
  answering: (Pick<AnsweringMessenger, 'message'> & { data: MessageData })[],
  asked: string,
  { capacity }: Pick<ChatProvider, 'capacity'>,
): Answer {
  const shown = answering.map((one) => visibleFiguresOf(one.message, one.data.accounts));
  const drawn = answering.flatMap(({ data }, index) => {
    const figures = requestedFigures(shown[index] ?? { total: false, accounts: [] }, asked);
    return figures ? [drawFigures(figures, data, capacity)] : [];
  });
  const blocks = [...new Map(drawn.map((one) => [JSON.stringify(one), one])).values()].flat();
  if (blocks.length > 0) return { text: textOf(blocks), blocks };
  const isEmpty = shown.every(({ total, accounts }) => !total && accounts.length === 0);
  return { text: isEmpty ? sentences.noFigures : sentences.notShown };
}

/**
 * As a message would show them. The total is that of the accounts that the notification covers: how old it
 * is, the list says of those that it shows.
 */
function drawFigures(
  { total, accounts }: VisibleFigures,
  data: MessageData,
  capacity: ChatProvider['capacity'],
): MessageBlock[] {
  const render = (text: string, shown: MessageData) =>
    renderMessage(text, shown, capacity).filter(({ type }) => type !== 'link');
  const sum = total ? render('Total\u202f: {{total}}', data) : [];
  if (accounts.length === 0) return sum;
  const asked = new Set(accounts);
  const listed = data.accounts.map((one) => ({ ...one, covered: asked.has(one) }));
  const list = render('{{soldes}}', { ...data, accounts: listed });
  if (!total) return list;
  const counted = distinctAccounts(data.accounts).map(({ account }) => account);
  const others = counted.filter((one) => !asked.has(one));
  const given = asOfText(others, data);
  return [
    ...sum.filter(({ type }) => type === 'text'),
    ...list,
    ...(given ? [{ type: 'context', text: given } as const] : []),
  ];
}
