import { type Static, Type } from 'typebox';

/**
 * The one shape of every refusal under `/api`. `message` is a code of the catalogue or a French sentence.
 */
export const ErrorBody = Type.Object({
  statusCode: Type.Integer(),
  code: Type.String(),
  message: Type.String(),
  details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
  requestId: Type.Optional(Type.String()),
});
export type ErrorBody = Static<typeof ErrorBody>;
