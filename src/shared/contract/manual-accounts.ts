import { type Static, Type } from 'typebox';
import { BankId } from './banks.ts';
import { Nullable, Payload } from './shapes.ts';
import { Name } from './texts.ts';

/** What an account held at the end of a day, as its owner says. */
const TypedFigure = {
  day: Type.String({ format: 'date' }),
  /** In the currency's main unit. */
  balance: Type.Number({ minimum: -1e12, maximum: 1e12 }),
};

/** An account that no source knows. */
export const NewManualAccount = Payload({
  name: Name,
  /** ISO 4217. It does not change: the figures before it would be in another one. */
  currency_code: Type.String({ pattern: '^[A-Z]{3}$' }),
  ...TypedFigure,
});
export type NewManualAccount = Static<typeof NewManualAccount>;

/** Another name, and the figure of another day or another figure of the same day. */
export const ManualAccountChange = Payload({
  name: Type.Optional(Name),
  figure: Type.Optional(Type.Object(TypedFigure, { additionalProperties: false })),
});
export type ManualAccountChange = Static<typeof ManualAccountChange>;

export const ManualAccount = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  currency_code: Type.String(),
  balance: Nullable(Type.Number()),
});
export type ManualAccount = Static<typeof ManualAccount>;

export const ManualAccountParameters = Type.Object({ id: BankId });

export const FigureParameters = Type.Object({
  id: BankId,
  // The format alone allows the year 0000, which the database refuses.
  day: Type.String({ format: 'date', pattern: '^2' }),
});
