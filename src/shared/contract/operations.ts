import { type Static, Type } from 'typebox';
import { Outcome } from './deliveries.ts';
import { Nullable } from './shapes.ts';
import { Moment } from './texts.ts';

const Count = Type.Integer({ minimum: 0 });

const Outcomes = Type.Record(Outcome, Count);
export type Outcomes = Static<typeof Outcomes>;

/** How long after its moment a daily message was confirmed. */
const Lag = Type.Object({
  medianSeconds: Type.Number(),
  p99Seconds: Type.Number(),
  worstSeconds: Type.Number(),
  /** Of those delivered, how many came more than a minute late. */
  late: Count,
});

/**
 * One reason for which deliveries of a chat, given by its name, did not arrive; `sentence` is French, for the
 * operator to read.
 */
const Failure = Type.Object({
  chat: Type.String(),
  code: Type.String(),
  sentence: Type.String(),
  deliveries: Count,
});

/** Connections of one bank in one state in which a person must act; `sentence` is French. */
const TroubledBank = Type.Object({
  bank: Type.Object({ id: Type.Integer(), name: Type.String() }),
  /** The provider's status code. */
  status: Type.Integer(),
  sentence: Type.String(),
  connections: Count,
});

/** People whose last reading at a bank service failed, by how it failed; `sentence` is French. */
const FailedReading = Type.Object({
  source: Type.String(),
  kind: Type.String(),
  sentence: Type.String(),
  people: Count,
});

/** A destination with notifications that a refusal has paused; `sentence` is French. */
const TroubledDestination = Type.Object({
  /** The chat's own name where a link has one channel, whose name may be a person's. */
  teamName: Type.String(),
  code: Type.String(),
  sentence: Type.String(),
  notifications: Count,
  since: Moment,
});

/** A mail that the mail server has refused, or that was not tried for ten minutes. */
const UnsentMail = Type.Object({
  createDate: Moment,
  /** Its local part is hidden: `c…@exemple.fr`. */
  recipient: Type.String(),
  /** The local parts of addresses are hidden here too. */
  subject: Type.String(),
  /** What the mail server said; null while it was not tried. */
  failure: Nullable(Type.String()),
});

/** How the installation fares: no amount, no text of a notification, no name of a person. */
export const Operations = Type.Object({
  /** Now, by the server's clock. */
  date: Moment,
  /** Deliveries are counted from here on: 24 hours before `date`. */
  since: Moment,
  deliveries: Outcomes,
  tests: Outcomes,
  alerts: Outcomes,
  /** Null when no daily message was delivered. */
  lag: Nullable(Lag),
  /** Notifications whose moment passed more than a minute ago and that no worker has planned. */
  overdue: Count,
  failures: Type.Array(Failure),
  banks: Type.Array(TroubledBank),
  readings: Type.Array(FailedReading),
  workspaces: Type.Array(TroubledDestination),
  /** Of the last seven days, the newest hundred. */
  mails: Type.Array(UnsentMail),
  /** False when no mail server is configured: every mail is then only logged. */
  canMail: Type.Boolean(),
});
export type Operations = Static<typeof Operations>;
