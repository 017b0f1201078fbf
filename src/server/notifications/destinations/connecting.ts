import type { Transaction } from 'kysely';
import type { Actor } from '../../identity/sessions/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import {
  type ChatKind,
  type ChatProvider,
  ChatProviderError,
  type LinkedTeam,
} from '../../providers/chats/port.ts';
import { chatOf } from '../chats.ts';
import type { NotificationsDeps } from '../deps.ts';
import { notificationErrors } from '../errors.ts';
import { type RequireHeld, whileSlotsAreShared } from '../schedule/slot-locks.ts';
import { readDestinationHandle } from './destination-handle.ts';
import { withdrawQuestions } from './open-questions.ts';
import { resumeDestination } from './pausing.ts';
import {
  type DestinationRow,
  destinationsOf,
  findConnectedDestination,
  findDestination,
  findDestinationOf,
  hasOtherMessengers,
  insertDestination,
  moveMessengers,
  openLink,
  readableSecret,
  removeDestination,
  replaceSecret,
  retireDestination,
  retired,
} from './queries.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'vault' | 'clock' | 'randomness' | 'chats'>;

export interface ConnectedDestination {
  destination: DestinationRow;
  /**
   * True where this request, or an earlier one with the same handle, made or renewed the link: a
   * notification is added only if the destination has none. False: one more is added.
   */
  isNewLink: boolean;
}

/**
 * The destination that a text stands for: a handle of ours, pending or connected, a chat's own token
 * from an API caller, or null for the current one. Throws the errors `notConnected` and `linkInvalid`
 * of the chat, and what the chat throws.
 */
export async function resolveDestination(
  deps: Needed,
  actor: Actor,
  given: string | null,
): Promise<ConnectedDestination> {
  if (given === null) {
    const destination = await findConnectedDestination(deps, actor.userId);
    if (!destination) throw new ApiError(chatOf(deps).errors.notConnected);
    return { destination, isNewLink: false };
  }
  const handle = readDestinationHandle(given);
  if (handle && deps.chats.has(handle.chat)) return await resolveHandle(deps, actor, handle);
  for (const [kind, chat] of deps.chats) {
    if (!chat.token?.pattern.test(given)) continue;
    return await connectLink(deps, actor, kind, await identify(chat, chat.token, given));
  }
  throw new ApiError(chatOf(deps).errors.linkInvalid);
}

/** What is done in the same transaction, before. The link is not made when it throws. */
type Also = (transaction: Transaction<Schema>) => Promise<void>;

/** The destination of a link that was made just now. */
export async function connectLink(
  deps: Needed,
  actor: Actor,
  chat: ChatKind,
  link: LinkedTeam,
  also?: Also,
): Promise<ConnectedDestination> {
  const { userId } = actor;
  return await whileSlotsAreShared(deps.database, actor, async (transaction, requireHeld) => {
    await also?.(transaction);
    return await connect(deps, { transaction, requireHeld }, { userId, chat }, link, null);
  });
}

/**
 * A messenger gets a link that was made just now and resumes with its text and hour. A link to the same
 * team is one for all messengers of its destination; a link to another team moves this messenger alone,
 * because the others may tell balances that the people there are not to see. `pending` is the row that the
 * link was kept in meanwhile. Throws `Not_Found` for a messenger of another user or of another chat, and
 * `Too_Many_Destinations`.
 */
export async function reconnectMessenger(
  deps: Needed,
  actor: Actor,
  {
    chat,
    messengerId,
    pending = null,
  }: { chat: ChatKind; messengerId: string; pending?: DestinationRow | null },
  link: LinkedTeam,
  also?: Also,
): Promise<void> {
  const { userId } = actor;
  const pendingId = pending?.id ?? null;
  await whileSlotsAreShared(deps.database, actor, async (transaction, requireHeld) => {
    await also?.(transaction);
    if (pending) await removeDestination(transaction, pending);
    const before = await findDestinationOf(transaction, userId, messengerId);
    if (before?.chat !== chat) throw new ApiError(httpErrors.Not_Found);
    const now = deps.clock.now();
    const known = await knownOf(transaction, { userId, chat }, link);
    const isFree = await releaseRow(transaction, before, link, { messengerId, now });
    const kept = known ?? (isFree ? before : undefined);
    const entry = { now, pendingId };
    const destination = await writeLink(deps, transaction, kept, { userId, chat }, link, entry);
    await moveMessengers(transaction, before, destination, messengerId);
    if (isFree && destination.id !== before.id) await removeDestination(transaction, before);
    const { id } = destination;
    const resumed = await resumeDestination(transaction, deps.clock, userId, id, requireHeld);
    await withdrawQuestions(transaction, userId, [messengerId, ...resumed]);
  });
}

/**
 * Whether the row of the link that a messenger had before has no other use: it takes the new link, or is
 * removed. A row that other messengers post to stays with them.
 */
async function releaseRow(
  transaction: Transaction<Schema>,
  before: DestinationRow,
  { teamId }: LinkedTeam,
  { messengerId, now }: { messengerId: string; now: Date },
): Promise<boolean> {
  if (teamId === before.team_id) return true;
  if (await hasOtherMessengers(transaction, before, messengerId)) return false;
  if (before.state !== 'connected') return true;
  // Its access is still good, and nothing here uses it any more: it is ended as an abandoned one.
  await retireDestination(transaction, before, now);
  return false;
}

/** The user's link of that team, unless it is still pending. */
async function knownOf(
  transaction: Transaction<Schema>,
  { userId, chat }: { userId: string; chat: ChatKind },
  { teamId }: LinkedTeam,
): Promise<DestinationRow | undefined> {
  return await destinationsOf(transaction, userId)
    .where('chat', '=', chat)
    .where('team_id', '=', teamId)
    .where('state', '<>', 'pending')
    .executeTakeFirst();
}

async function resolveHandle(
  deps: Needed,
  actor: Actor,
  { chat, id }: { chat: ChatKind; id: string },
): Promise<ConnectedDestination> {
  const { userId } = actor;
  const { errors } = chatOf(deps, chat);
  const connected = await findDestination(deps, userId, id);
  if (connected?.chat === chat) return { destination: connected, isNewLink: false };
  return await whileSlotsAreShared(deps.database, actor, async (transaction, requireHeld) => {
    const all = destinationsOf(transaction, userId);
    const row = await all.where('id', '=', id).where('chat', '=', chat).executeTakeFirst();
    if (row?.state === 'connected') return { destination: row, isNewLink: false };
    if (row?.state === 'disconnected') throw new ApiError(errors.notConnected);
    if (row) {
      const isExpired = !row.pending_until || row.pending_until <= deps.clock.now();
      if (isExpired) throw new ApiError(errors.linkInvalid);
      const held = { transaction, requireHeld };
      return await connect(deps, held, { userId, chat }, openLink(deps, row), row);
    }
    // A handle works once. The same one sent again finds what the first request made of it.
    const connectedBefore = await all
      .where('claimed_as', '=', id)
      .where('state', '=', 'connected')
      .executeTakeFirst();
    if (!connectedBefore) throw new ApiError(errors.linkInvalid);
    return { destination: connectedBefore, isNewLink: true };
  });
}

/** Under the lock of the user, one at a time: two of the same team would both find it unknown. */
async function connect(
  deps: Needed,
  { transaction, requireHeld }: { transaction: Transaction<Schema>; requireHeld: RequireHeld },
  { userId, chat }: { userId: string; chat: ChatKind },
  link: LinkedTeam,
  pending: DestinationRow | null,
): Promise<ConnectedDestination> {
  const now = deps.clock.now();
  const known = await knownOf(transaction, { userId, chat }, link);
  if (pending) await removeDestination(transaction, pending);
  // The same working token given by an API caller again asks for one more notification.
  const isWorking = known?.state === 'connected' && readableSecret(deps, known) === link.secret;
  if (!pending && known && isWorking) return { destination: known, isNewLink: false };
  const entry = { now, pendingId: pending?.id ?? null };
  const destination = await writeLink(deps, transaction, known, { userId, chat }, link, entry);
  if (known) {
    const { id } = known;
    const resumed = await resumeDestination(transaction, deps.clock, userId, id, requireHeld);
    await withdrawQuestions(transaction, userId, resumed);
  }
  return { destination, isNewLink: true };
}

/** The row that a link is kept in gets its secret and works again; without such a row, it is one more. */
async function writeLink(
  deps: Needed,
  transaction: Transaction<Schema>,
  kept: DestinationRow | undefined,
  owner: { userId: string; chat: ChatKind },
  link: LinkedTeam,
  entry: { now: Date; pendingId: string | null },
): Promise<DestinationRow> {
  if (kept) return await replaceSecret(deps, transaction, kept, link, entry);
  await retireAtLimit(transaction, owner.userId, entry.now);
  return await insertDestination(deps, transaction, owner, link, { state: 'connected', ...entry });
}

/** As many as an account may have notifications. One that has more keeps them. */
const maxDestinations = 100;

/**
 * At the limit, the oldest destination that no notification uses becomes an abandoned one, which the
 * upkeep revokes. Throws `Too_Many_Destinations` where all are used.
 */
async function retireAtLimit(
  transaction: Transaction<Schema>,
  userId: string,
  now: Date,
): Promise<void> {
  const linked = await destinationsOf(transaction, userId)
    .where('state', '<>', 'pending')
    .execute();
  if (linked.length < maxDestinations) return;
  const { numUpdatedRows } = await transaction
    .updateTable('destinations')
    .set(retired(now))
    .where('user_id', '=', userId)
    .where('id', '=', (from) =>
      destinationsOf(transaction, userId)
        .clearSelect()
        .select('destinations.id')
        .where('state', '<>', 'pending')
        .where(({ not, exists }) =>
          not(
            exists(
              from
                .selectFrom('messengers')
                .whereRef('messengers.user_id', '=', 'destinations.user_id')
                .whereRef('messengers.destination_id', '=', 'destinations.id'),
            ),
          ),
        )
        .orderBy('created_at')
        .limit(1),
    )
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new ApiError(notificationErrors.Too_Many_Destinations);
}

/** A token that the chat does not take is the caller's mistake, not the chat's. */
async function identify(
  { name, errors }: ChatProvider,
  linking: NonNullable<ChatProvider['token']>,
  token: string,
): Promise<LinkedTeam> {
  try {
    return await linking.identify(token);
  } catch (error) {
    const isRefused =
      error instanceof ChatProviderError &&
      (error.kind === 'installation' || error.kind === 'permission');
    if (!isRefused) throw error;
    throw new ApiError(errors.linkInvalid, { message: `${name} n'accepte pas ce jeton.` });
  }
}
