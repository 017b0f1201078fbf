import { type Static, Type } from 'typebox';
import { maxStatementAccounts } from '../banks/statements.ts';
import { Nullable, OneOf } from './shapes.ts';
import { Name } from './texts.ts';

const ColumnIndex = Nullable(Type.Integer({ minimum: 0, maximum: 500 }));

/** Which column of a table means what, by its index from 0. */
export const StatementColumns = Type.Object({
  date: Type.Integer({ minimum: 0, maximum: 500 }),
  /** The balance after each row. */
  balance: ColumnIndex,
  /** Movements, signed, or apart in two columns: they count from the known balance. */
  amount: ColumnIndex,
  debit: ColumnIndex,
  credit: ColumnIndex,
  /** What the account held at the end of a day, as it is written: "1 234,56". */
  known: Nullable(
    Type.Object({
      day: Type.String({ format: 'date' }),
      amount: Type.String({ maxLength: 40 }),
    }),
  ),
});
export type StatementColumns = Static<typeof StatementColumns>;

/** What the person says of a table; null to have it proposed. */
export interface TableChoice {
  columns: StatementColumns | null;
  /** Which of its sheets, by the index among those that are shown. */
  sheet: number | null;
}

/** A table as it is shown before the import. */
export const StatementTable = Type.Object({
  header: Type.Array(Type.String()),
  /** The first ones. */
  rows: Type.Array(Type.Array(Type.String())),
  /** What each column seems to mean, or what was asked for; null when that cannot be told. */
  columns: Nullable(StatementColumns),
  /** Of a workbook, those that it shows; null for a file that has none. */
  sheets: Nullable(
    Type.Object({
      names: Type.Array(Type.String()),
      /** The index of the one that is read, from 0. */
      chosen: Type.Integer(),
    }),
  ),
});
export type StatementTable = Static<typeof StatementTable>;

/** What a file says, before anything of it is kept. */
export const StatementPreview = Type.Object({
  format: OneOf('camt', 'ofx', 'csv', 'xlsx'),
  accounts: Type.Array(
    Type.Object({
      /** Proposed: those of the account that this file continues, else what the file says; empty where asked for. */
      bank: Type.String(),
      name: Type.String(),
      /** The end of its IBAN or number; null when the file does not say it. */
      ending: Nullable(Type.String()),
      currency_code: Type.String(),
      /** The last balance of the file, in the currency's main unit, and its day. */
      balance: Type.Number(),
      day: Type.String({ format: 'date' }),
      /** How many days have a balance in the file. */
      days: Type.Integer(),
      /** Only current accounts are shown and counted. */
      isCurrent: Type.Boolean(),
      /** It goes on with an account that is known already. */
      isKnown: Type.Boolean(),
      /** Nothing says which of the known accounts it is, or that it is a new one: `name` is empty. */
      isUncertain: Type.Boolean(),
      /** Of that account; left out where none is known. */
      accountId: Type.Optional(Type.Integer()),
      /** What the person is to look at before the import. */
      warning: Type.Optional(Type.String()),
    }),
  ),
  table: Nullable(StatementTable),
});
export type StatementPreview = Static<typeof StatementPreview>;

/** How the accounts of a file are to be called, in the order of the preview. */
export const StatementNames = Type.Array(
  Type.Object({
    bank: Name,
    name: Name,
  }),
  { maxItems: maxStatementAccounts },
);
export type StatementNames = Static<typeof StatementNames>;

/** The `accountId` of each account of the preview, null for a new one. */
export const StatementAnnounced = Type.Array(Nullable(Type.Integer()), {
  maxItems: maxStatementAccounts,
});
export type StatementAnnounced = Static<typeof StatementAnnounced>;
