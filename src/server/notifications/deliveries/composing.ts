import type { LocalZone } from '../../../shared/calendar/local-date.ts';
import type { Capacity } from '../../../shared/message/capacity.ts';
import { dayAndMonth, hourAndMinute } from '../../../shared/message/days.ts';
import { distinctAccounts } from '../../../shared/message/duplicates.ts';
import type { MessageAccount } from '../../../shared/message/figures.ts';
import { appLink, renderMessage, textOf } from '../../../shared/message/render.ts';
import type { MessageTransactions } from '../../../shared/message/transactions.ts';
import { tellsTransactions } from '../../../shared/message/variables.ts';
import { isCutShort, isRefusedByDatabase } from '../../platform/database/connections.ts';
import type { Chart, OutgoingMessage } from '../../providers/chats/posting.ts';
import { alertBlocks } from '../alerts/text.ts';
import type { NotificationsDeps } from '../deps.ts';
import { readCharts } from '../messages/charts.ts';
import { readData, type StoredData } from '../messages/queries.ts';
import { openBankTransactions } from '../transactions/queries.ts';
import { draftedBankTransactions, openSealed } from '../transactions/sealing.ts';
import type { Attempt, ClaimedDelivery } from './attempt.ts';
import type { DeliverySettings } from './settings.ts';

/**
 * What is posted at `now`: what an alert tells, with the way back to the web app, a text without
 * variables as it is, or one with its variables filled in, as blocks. A daily message that is late says
 * so in a last line (French). `capacity` is the chat's.
 */
export function compose(
  attempt: Pick<
    Attempt,
    'text' | 'data' | 'kind' | 'crossings' | 'dueAt' | 'zone' | 'offsetMinutes'
  >,
  now: Date,
  { lateAfterMs, publicUrl }: Pick<DeliverySettings, 'lateAfterMs'> & { publicUrl: string },
  capacity?: Capacity,
): Pick<OutgoingMessage, 'text' | 'blocks' | 'isAlert' | 'localZone'> {
  const { text, data, kind, crossings, dueAt, zone, offsetMinutes } = attempt;
  const localZone = { zone, offsetMinutes };
  if (crossings) {
    const told = alertBlocks(crossings, { now, localZone }, capacity);
    const blocks = [...told, appLink(publicUrl)];
    return { text: textOf(blocks), blocks, isAlert: true, localZone };
  }
  const isLate = kind === 'daily' && now.getTime() - dueAt.getTime() > lateAfterMs;
  const late = isLate ? lateLine(dueAt, now, localZone) : null;
  if (!data) return { text: late ? `${text}\n${late}` : text, localZone };
  const blocks = renderMessage(text, { ...data, now, localZone, publicUrl }, capacity);
  if (late) blocks.push({ type: 'context', text: late });
  return { text: textOf(blocks), blocks, localZone };
}

/** Why values were not read: by our own fault, or because the database does not answer. */
type Unread = 'broken' | 'postponed';

/**
 * The values of variables, by delivery. When they cannot be read together, they are read one by one: one
 * person's may take longer than a statement may. After a second such wait the others are put off as well,
 * as where the database does not answer: none must wait until its lease ends.
 */
export async function readDeliveryData(
  deps: Pick<NotificationsDeps, 'database' | 'vault' | 'bankSources' | 'clock' | 'log'>,
  deliveries: ClaimedDelivery[],
): Promise<ReadonlyMap<string, StoredData | Unread>> {
  try {
    return await readDataOf(deps, deliveries);
  } catch (error) {
    deps.log.error({ err: error }, 'the values of messages cannot be read together');
  }
  const read = new Map<string, StoredData | Unread>();
  let cutShort = 0;
  let isAway = false;
  for (const delivery of deliveries) {
    const { id: deliveryId } = delivery;
    try {
      if (isAway) read.set(deliveryId, 'postponed');
      else for (const [id, values] of await readDataOf(deps, [delivery])) read.set(id, values);
    } catch (error) {
      deps.log.error({ err: error, deliveryId }, 'the values of a message cannot be read');
      if (isCutShort(error)) cutShort += 1;
      isAway = cutShort > 1 || !(isCutShort(error) || isRefusedByDatabase(error));
      read.set(deliveryId, isRefusedByDatabase(error) ? 'broken' : 'postponed');
    }
  }
  return read;
}

/** Reads nothing for texts without variables. */
async function readDataOf(
  deps: Pick<NotificationsDeps, 'database' | 'vault' | 'bankSources' | 'clock'>,
  deliveries: ClaimedDelivery[],
): Promise<Map<string, StoredData>> {
  const filled = deliveries.filter(({ variables }) => variables);
  const data = await readData(
    deps,
    deps.database.sql,
    filled.map(({ userId, messengerId, draftAccounts, draftSettings, zone, offsetMinutes }) => ({
      ...{ userId, messengerId, chosen: draftAccounts, comparedIn: { zone, offsetMinutes } },
      ...{ attention: draftSettings?.attention, operations: draftSettings?.operations },
    })),
  );
  const transactions = await readTransactionsOf(deps, filled);
  return new Map(
    filled.flatMap(({ id }, index) => {
      const values = data[index];
      if (!values) return [];
      return [[id, { ...values, transactions: toldOf(transactions.get(id), values.accounts) }]];
    }),
  );
}

/** What was read for those that speak of bank transactions, by delivery. */
async function readTransactionsOf(
  deps: Pick<NotificationsDeps, 'database' | 'vault'>,
  deliveries: ClaimedDelivery[],
): Promise<Map<string, MessageTransactions>> {
  const speaking = deliveries.filter(({ text }) => tellsTransactions(text));
  const daily = speaking.filter(({ kind }) => kind === 'daily');
  const pending = await openBankTransactions(deps, deps.database.sql, daily);
  return new Map(
    speaking.flatMap(({ id, userId, messengerId, kind, draftSettings }) => {
      const sealed = draftSettings?.sealed;
      const ofTest = sealed
        ? openSealed(deps, sealed, draftedBankTransactions(userId, messengerId))
        : null;
      const read = kind === 'test' ? ofTest : pending.get(messengerId);
      return read ? [[id, read]] : [];
    }),
  );
}

/**
 * What a message tells of what was read for it: of an account that was read through two sources, as its choice
 * was changed, one of them. Accounts that it covers since were not read; null where it covers no others.
 */
function toldOf(
  sealed: MessageTransactions | undefined,
  accounts: MessageAccount[],
): MessageTransactions | null {
  if (!sealed) return null;
  const { read, failed, unable } = sealed;
  if (!read) return sealed;
  const covered = distinctAccounts(accounts).map(({ account, duplicates }) =>
    [account].concat(duplicates),
  );
  const isRead = (sources: MessageAccount[]) => sources.some(({ id }) => read.includes(id));
  const named = new Set([...failed, ...unable]);
  const isNamed = (sources: MessageAccount[]) => sources.some(({ bank }) => named.has(bank.name));
  const unread = covered.filter((sources) => !isRead(sources) && !isNamed(sources)).length;
  if (unread > 0 && unread === covered.length) return null;
  const again = covered.flatMap((sources) =>
    sources.flatMap(({ id }) => (read.includes(id) ? [id] : [])).slice(1),
  );
  const transactions = sealed.transactions.filter(({ accountId }) => !again.includes(accountId));
  return { ...sealed, transactions, isRead: covered.some(isRead), unread };
}

/**
 * By delivery, where its notification has one and its chat draws it; none for alerts, which tell no
 * total. A message goes out without a chart whose figures cannot be read.
 */
export async function chartsFor(
  { database, chats, clock, log }: Pick<NotificationsDeps, 'database' | 'chats' | 'clock' | 'log'>,
  deliveries: ClaimedDelivery[],
): Promise<Map<string, Chart[]>> {
  const charted = deliveries.filter(
    ({ kind, chart, chat }) => kind !== 'alert' && chart && chats.get(chat)?.charts,
  );
  try {
    const asked = charted.map(({ id, userId, messengerId, draftAccounts }) => ({
      deliveryId: id,
      userId,
      messengerId,
      chosen: draftAccounts,
    }));
    return await readCharts(database.sql, asked, clock.now());
  } catch (error) {
    log.error({ err: error }, 'the charts of messages cannot be read');
    return new Map();
  }
}

function lateLine(dueAt: Date, now: Date, localZone: LocalZone): string {
  const due = dayAndMonth(dueAt, localZone);
  const day = due === dayAndMonth(now, localZone) ? '' : `le ${due} `;
  return `Message prévu ${day}à ${hourAndMinute(dueAt, localZone)}, envoyé à ${hourAndMinute(now, localZone)}.`;
}
