import { type Static, Type } from 'typebox';
import { type Region, regionNames } from '../calendar/regions.ts';
import { Delivery } from './deliveries.ts';
import { MessageText, Moment, MomentOrNull } from './texts.ts';

const Offset = Type.String({ pattern: '^[+-]([01][0-9])[0-5][0-9]$' });
const Hours = Type.Integer({ minimum: 0, maximum: 23 });
/** A channel's id as chats write them: names and mentions are none. */
const ChannelId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' });
const Minutes = Type.Union([Type.Literal(0), Type.Literal(15), Type.Literal(30), Type.Literal(45)]);

/**
 * The wall-clock hour of the daily message. With an IANA `zone` the zone decides and `timeZone` is
 * its offset (±HHMM) at the next sending; with `zone` null the offset is kept for ever.
 */
export const Hour = Type.Object({
  hours: Hours,
  minutes: Minutes,
  timeZone: Offset,
  zone: Type.Union([Type.String(), Type.Null()]),
});
export type Hour = Static<typeof Hour>;

/** The days of the week that send: 1 Monday … 7 Sunday, each once, in order. */
const Days = Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
  minItems: 1,
  maxItems: 7,
  uniqueItems: true,
});

/** The first day that sends again, YYYY-MM-DD on the notification's own calendar. */
const PausedUntil = Type.Union([
  // No calendar here knows the year 0, and no moment has five digits of a year.
  Type.String({ format: 'date', pattern: '^2' }),
  Type.Null(),
]);

/** The region whose public holidays send nothing. */
const Holidays = Type.Union([
  Type.Unsafe<Region>({ type: 'string', enum: Object.keys(regionNames) }),
  Type.Null(),
]);

/**
 * The checking accounts that a message speaks of. With `chosen`, those named in `chosen`; an account
 * that appears later is among them when `includesNew`. With `all`, `chosen` says nothing.
 */
export const AccountChoice = Type.Object(
  {
    scope: Type.Union([Type.Literal('all'), Type.Literal('chosen')]),
    chosen: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      maxItems: 2000,
    }),
    includesNew: Type.Boolean(),
  },
  { additionalProperties: false },
);
export type AccountChoice = Static<typeof AccountChoice>;

/** Why a notification sends nothing until its owner acts, and the one action that mends it. */
export const Pause = Type.Object({
  reason: Type.String(),
  sentence: Type.String(),
  action: Type.Union([
    Type.Literal('reconnect'),
    Type.Literal('choose-channel'),
    Type.Literal('resume'),
  ]),
  since: Moment,
});
export type Pause = Static<typeof Pause>;

export const Messenger = Type.Object({
  id: Type.String(),
  slackTeamName: Type.String(),
  slackChannel: Type.Union([Type.String(), Type.Null()]),
  slackChannelName: Type.Union([Type.String(), Type.Null()]),
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
  /** Null as soon as that day has come. */
  pausedUntil: PausedUntil,
  /** Paused by its owner, for good. */
  stopped: Type.Boolean(),
  holidays: Holidays,
  accounts: AccountChoice,
  /** False when the bot was removed from the workspace: "Reconnecter Slack". */
  connected: Type.Boolean(),
  pause: Type.Union([Pause, Type.Null()]),
  lastDelivery: Type.Union([Delivery, Type.Null()]),
});
export type Messenger = Static<typeof Messenger>;

export const NewMessenger = Type.Object(
  { slackBotToken: Type.Optional(Type.Union([Type.String({ maxLength: 512 }), Type.Null()])) },
  { additionalProperties: false },
);
export type NewMessenger = Static<typeof NewMessenger>;

/** Any subset; `hour` is replaced whole. What else a client sends (the whole messenger) is ignored. */
export const MessengerChange = Type.Object(
  {
    slackChannel: Type.Optional(ChannelId),
    message: Type.Optional(MessageText),
    hour: Type.Optional(
      Type.Object(
        {
          hours: Hours,
          minutes: Minutes,
          timeZone: Type.Optional(Offset),
          zone: Type.Optional(Type.Union([Type.String({ maxLength: 64 }), Type.Null()])),
        },
        { additionalProperties: false },
      ),
    ),
    days: Type.Optional(Days),
    pausedUntil: Type.Optional(PausedUntil),
    stopped: Type.Optional(Type.Boolean()),
    holidays: Type.Optional(Holidays),
    accounts: Type.Optional(AccountChoice),
  },
  { additionalProperties: false },
);
export type MessengerChange = Static<typeof MessengerChange>;

export const TestMessage = Type.Object(
  {
    message: Type.Optional(MessageText),
    slackChannel: Type.Optional(ChannelId),
    accounts: Type.Optional(AccountChoice),
  },
  { additionalProperties: false },
);
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

/** Where the browser goes next: an authorise page, a bank's connection page. */
export const Redirection = Type.Object({ redirect_url: Type.String() });
export type Redirection = Static<typeof Redirection>;
