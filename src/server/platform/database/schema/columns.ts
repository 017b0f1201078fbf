import type { ColumnType } from 'kysely';

/** A timestamptz: read as Date, written as Date. */
export type Moment = ColumnType<Date, Date, Date>;
export type MomentOrNull = ColumnType<Date | null, Date | null | undefined, Date | null>;
export type TextOrNull = ColumnType<string | null, string | null | undefined, string | null>;
