import { type Static, Type } from 'typebox';
import { Moment, MomentOrNull } from './texts.ts';

export const Outcome = Type.Union([
  Type.Literal('pending'),
  Type.Literal('delivered'),
  Type.Literal('failed'),
  Type.Literal('missed'),
  Type.Literal('uncertain'),
  Type.Literal('cancelled'),
]);
export type Outcome = Static<typeof Outcome>;

export const DeliveryKind = Type.Union([Type.Literal('daily'), Type.Literal('test')]);
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
  lateSeconds: Type.Union([Type.Integer(), Type.Null()]),
  /** How often it was sent again because an answer was lost: the message may stand twice. */
  resends: Type.Integer(),
  /** French, fit to be shown: why it failed, was missed or is uncertain, and what to do. */
  reason: Type.Union([Type.String(), Type.Null()]),
  channelName: Type.Union([Type.String(), Type.Null()]),
});
export type Delivery = Static<typeof Delivery>;

export const DeliveryQuery = Type.Object({
  /** The cursor of the page before, as given in `next`. */
  before: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
});

export const DeliveryPage = Type.Object({
  deliveries: Type.Array(Delivery),
  next: Type.Union([Type.String(), Type.Null()]),
});
export type DeliveryPage = Static<typeof DeliveryPage>;
