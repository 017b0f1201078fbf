/** A column whose values the vault sealed. Each module lists its own. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The columns that name a row. */
  key: string[];
  /** What a value is bound to, by the key of its row: moved to another row it does not open. */
  additionalData(...key: string[]): string;
}
