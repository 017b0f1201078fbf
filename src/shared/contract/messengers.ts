import { type Static, Type } from 'typebox';
import { type Region, regionNames } from '../calendar/regions.ts';
import { attentionKinds } from '../message/attention-kinds.ts';
import { transactionsChoices } from '../message/transactions.ts';
import { Channels, ChatKind, Drawing } from './chats.ts';
import { Delivery } from './deliveries.ts';
import { Nullable, OneOf, Payload } from './shapes.ts';
import { MessageText, Moment, MomentOrNull } from './texts.ts';

const Offset = Type.String({ pattern: '^[+-]([01][0-9])[0-5][0-9]$' });
const Hours = Type.Integer({ minimum: 0, maximum: 23 });
/** A channel's id at its chat; a channel's name or a mention of it is refused. */
const ChannelId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' });
const Minutes = OneOf(0, 15, 30, 45);

/**
 * The wall-clock hour of the daily message. With an IANA `zone` the zone decides and `timeZone` is
 * its offset (±HHMM) at the next sending; with `zone` null the offset never changes.
 */
export const Hour = Type.Object({
  hours: Hours,
  minutes: Minutes,
  timeZone: Offset,
  zone: Nullable(Type.String()),
});
export type Hour = Static<typeof Hour>;

/** The days of the week that send: 1 Monday … 7 Sunday, each once, in order. */
const Days = Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
  minItems: 1,
  maxItems: 7,
  uniqueItems: true,
});

/** The first day that sends again, YYYY-MM-DD on the notification's own calendar. */
// From 2000 to 2999: PostgreSQL has no year 0, and the day after 9999-12-31 has a year of five digits.
const PausedUntil = Nullable(Type.String({ format: 'date', pattern: '^2' }));

/** The region whose public holidays send nothing. */
const Holidays = Nullable(Type.Unsafe<Region>({ type: 'string', enum: Object.keys(regionNames) }));

const AccountIds = Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
  maxItems: 2000,
});

/**
 * The checking accounts that a message covers. With `chosen`, those listed in `chosen`, and accounts
 * that appear later if `includesNew`. With `all`, the other two fields have no effect.
 */
export const AccountChoice = Payload({
  scope: OneOf('all', 'chosen'),
  chosen: AccountIds,
  includesNew: Type.Boolean(),
});
export type AccountChoice = Static<typeof AccountChoice>;

/** A choice that is saved, with the accounts that it was made among. */
const SavedChoice = Payload({
  ...AccountChoice.properties,
  shown: Type.Optional({
    ...AccountIds,
    description:
      'Les comptes affichés lors du choix\u202f: tout autre compte est un nouveau compte. Sans cette liste, tous les comptes connus.',
  }),
});

/** What its messages point out beside their text. */
export const Attention = Type.Array(Type.Enum([...attentionKinds]), {
  maxItems: attentionKinds.length,
  uniqueItems: true,
});

/** How much of the bank's transactions its messages tell where they say `{{operations}}`. */
export const TransactionsChoice = Type.Enum([...transactionsChoices]);

/** Why a notification sends nothing until its owner acts, and the action that ends the pause. */
export const Pause = Type.Object({
  reason: Type.String(),
  sentence: Type.String(),
  action: OneOf('reconnect', 'choose-destination', 'choose-channel', 'resume'),
  since: Moment,
});
export type Pause = Static<typeof Pause>;

export const Messenger = Type.Object({
  id: Type.String(),
  chat: ChatKind,
  /** As people write it. */
  chatName: Type.String(),
  channels: Channels,
  drawing: Drawing,
  /** The button that links it anew, where what it posts to is not called a channel. */
  relinkLabel: Type.Optional(Type.String()),
  /** Where its messages arrive, as a part of a sentence, where "dans …" is not what people say. */
  placePhrase: Type.Optional(Type.String()),
  slackTeamName: Type.String(),
  slackChannel: Nullable(Type.String()),
  slackChannelName: Nullable(Type.String()),
  slackBotToken: Type.String(),
  message: Type.String(),
  createDate: Moment,
  updateDate: Moment,
  hour: Hour,
  /** The next sending, null while incomplete or paused. */
  nextDate: MomentOrNull,
  /** The next five, the first being `nextDate`; empty when there is none. */
  nextDates: Type.Array(Moment),
  days: Days,
  /** Null from that day on. */
  pausedUntil: PausedUntil,
  /** Paused by its owner without an end. */
  stopped: Type.Boolean(),
  holidays: Holidays,
  accounts: AccountChoice,
  /** Whether a chart of the total is drawn below the message; null where its chat draws none. */
  chart: Nullable(Type.Boolean()),
  attention: Attention,
  operations: TransactionsChoice,
  /** False when the bot was removed from the workspace: the link has to be made anew. */
  connected: Type.Boolean(),
  pause: Nullable(Pause),
  lastDelivery: Nullable(Delivery),
});
export type Messenger = Static<typeof Messenger>;

export const NewMessenger = Payload({
  slackBotToken: Type.Optional(Nullable(Type.String({ maxLength: 512 }))),
});

/** The destination that the copy posts to, by its handle, as a messenger has it. */
export const MessengerCopy = Payload({ slackBotToken: Type.String({ maxLength: 512 }) });

/** Any subset; `hour` is replaced as a whole. Other fields that a client sends are ignored. */
export const MessengerChange = Payload({
  slackChannel: Type.Optional(ChannelId),
  message: Type.Optional(MessageText),
  hour: Type.Optional(
    Payload({
      hours: Hours,
      minutes: Minutes,
      timeZone: Type.Optional(Offset),
      zone: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
    }),
  ),
  days: Type.Optional(Days),
  pausedUntil: Type.Optional(PausedUntil),
  stopped: Type.Optional(Type.Boolean()),
  holidays: Type.Optional(Holidays),
  accounts: Type.Optional(SavedChoice),
  /** Without effect where the chat draws none. */
  chart: Type.Optional(Nullable(Type.Boolean())),
  attention: Type.Optional(Attention),
  operations: Type.Optional(TransactionsChoice),
});
export type MessengerChange = Static<typeof MessengerChange>;

export const TestMessage = Payload({
  message: Type.Optional(MessageText),
  slackChannel: Type.Optional(ChannelId),
  accounts: Type.Optional(AccountChoice),
  attention: Type.Optional(Attention),
  operations: Type.Optional(TransactionsChoice),
  chart: Type.Optional(Type.Boolean()),
});
export type TestMessage = Static<typeof TestMessage>;

export const TestOutcome = Type.Object({ outcome: Type.Literal('delivered') });

export const Channel = Type.Object({
  id: Type.String(),
  name: Type.String(),
  isPrivate: Type.Boolean(),
  isExternal: Type.Boolean(),
});
export type Channel = Static<typeof Channel>;

export const ChannelQuery = Type.Object({
  messengerId: Type.Optional(Type.String({ maxLength: 64 })),
  refresh: Type.Optional(Type.Literal('1')),
});

/** The address that the browser opens next: an authorisation page or a bank's connection page. */
export const Redirection = Type.Object({ redirect_url: Type.String() });
export type Redirection = Static<typeof Redirection>;
