/**
 * What Bridge v3 sends, by its documentation (docs.bridgeapi.io, version 2025-01-15). Null fields
 * are left out of answers and other implementations differ in detail, so nothing is taken for
 * granted but what `answers.ts` has checked: a row is an object with a whole number as id.
 */
export interface RawItem {
  id: number;
  status?: unknown;
  status_code_description?: unknown;
  provider_id?: unknown;
  last_successful_refresh?: unknown;
  authentication_expires_at?: unknown;
}

export interface RawAccount {
  id: number;
  item_id?: unknown;
  provider_id?: unknown;
  name?: unknown;
  type?: unknown;
  /** Main unit of the currency. */
  balance?: unknown;
  accounting_balance?: unknown;
  instant_balance?: unknown;
  currency_code?: unknown;
  updated_at?: unknown;
  data_access?: unknown;
}
