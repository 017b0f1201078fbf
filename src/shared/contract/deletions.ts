import { type Static, Type } from 'typebox';
import { OneOf, Payload } from './shapes.ts';
import { Moment, MomentOrNull, OneTimeCode, OpaqueToken, TypedPassword } from './texts.ts';

/** POST /users/me/deletion; `otp` where a second factor is on. Every session ends with it. */
export const DeletionRequest = Payload({
  currentPassword: TypedPassword,
  otp: Type.Optional(OneTimeCode),
});
export type DeletionRequest = Static<typeof DeletionRequest>;

export const DeletionReceipt = Type.Object({ receipt: OpaqueToken });
export type DeletionReceipt = Static<typeof DeletionReceipt>;

/**
 * What an erasure consists of, in the order it is done. Their French words are
 * `shared/deletion/steps.ts`.
 */
export const DeletionStepName = OneOf('data', 'bank', 'chat');
export type DeletionStepName = Static<typeof DeletionStepName>;

/** GET /accounts/deletions/{receipt}: read with the receipt alone, without a session. */
export const Deletion = Type.Object({
  requestDate: Moment,
  /** Null while a step is still being tried. */
  doneDate: MomentOrNull,
  steps: Type.Array(
    Type.Object({
      name: DeletionStepName,
      doneDate: MomentOrNull,
      /** French sentences: what was tried in vain, and how the person does it. */
      notDone: Type.Array(Type.String()),
    }),
  ),
  /** Whether the receipt is also sent by mail: not by an installation without a mail server. */
  canMail: Type.Boolean(),
});
export type Deletion = Static<typeof Deletion>;
