import { type Static, Type } from 'typebox';
import { Nullable, OneOf } from './shapes.ts';
import { Moment, MomentOrNull } from './texts.ts';

export const Outcome = OneOf('pending', 'delivered', 'failed', 'missed', 'uncertain', 'cancelled');

export const DeliveryKind = OneOf('daily', 'test', 'alert');
export type DeliveryKind = Static<typeof DeliveryKind>;

export const Delivery = Type.Object({
  id: Type.String(),
  kind: DeliveryKind,
  /** The moment it was due, UTC. */
  dueDate: Moment,
  /** The moment the chat confirmed it, UTC; null when it did not. */
  sentDate: MomentOrNull,
  outcome: Outcome,
  /** Whole seconds after `dueDate` when delivered more than a minute late, else null. */
  lateSeconds: Nullable(Type.Integer()),
  /** How often it was sent again because an answer was lost: the message may stand twice. */
  resends: Type.Integer(),
  /** French, fit to be shown: why it failed, was missed or is uncertain, and what to do. */
  reason: Nullable(Type.String()),
  channelName: Nullable(Type.String()),
});
export type Delivery = Static<typeof Delivery>;

export const DeliveryQuery = Type.Object({
  /** The cursor of the page before, as given in `next`. */
  before: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
});

export const DeliveryPage = Type.Object({
  deliveries: Type.Array(Delivery),
  next: Nullable(Type.String()),
});
export type DeliveryPage = Static<typeof DeliveryPage>;
