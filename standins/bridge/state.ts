/** Dates are ISO 8601 in UTC, so that the whole state is JSON. */
export interface State {
  lastId: number;
  users: Record<string, User>;
  tokens: Record<string, { userUuid: string; expiresAt: string }>;
  sessions: Record<string, Session>;
  items: Record<string, Item>;
  accounts: Record<string, Account>;
}

export interface User {
  uuid: string;
  externalUserId: string | null;
}

/** A trip through the Connect pages. */
export interface Session {
  id: string;
  userUuid: string;
  callbackUrl: string | null;
  context: string | null;
  createdAt: string;
  /** The item being repaired; in a new connection, the one that a failed login left behind. */
  itemId: number | null;
  repair: boolean;
  step: 'banks' | 'login' | 'otp' | 'app' | 'accounts' | 'problem' | 'pro' | 'done';
  providerId: number | null;
  login: string;
  /** Shown above the form of the step. */
  fault: string | null;
}

export interface Item {
  id: number;
  userUuid: string;
  providerId: number;
  /** What it becomes at `readyAt`; until then it shows `syncing`. */
  status: number;
  statusInfo: string | null;
  syncing: -2 | -3;
  readyAt: string;
  createdAt: string;
  /** The last successful refresh by hand; the daily one comes on top unless `frozen`. */
  refreshedAt: string | null;
  frozen: boolean;
  authenticationExpiresAt: string | null;
  /** Logins still to be played, one per day: `success.1010` turns to 1010 on the next. */
  plan: string[];
  /** Moments of its management sessions. */
  managedAt: string[];
  /** A `last_try_refresh` without its Z, as one of the official examples has it. */
  withoutZ: boolean;
  /** Fields that tests put in place of the computed ones; null leaves the field out. */
  override: Record<string, unknown>;
}

export interface Account {
  id: number;
  itemId: number;
  name: string;
  type: string;
  /** Cents on the day of its creation. */
  baseCents: number;
  /** The largest daily movement, in cents. */
  swingCents: number;
  iban: string | null;
  shared: boolean;
  pro: boolean;
  hasAccountingBalance: boolean;
  /** Those that tests put in place of the computed ones, as they are answered. */
  transactions?: Record<string, unknown>[];
  /** Fields that tests put in place of the computed ones; null leaves the field out. */
  override: Record<string, unknown>;
}

/** From what was saved of it, if anything was. */
export function openState(saved: unknown): State {
  const empty = { users: {}, tokens: {}, sessions: {}, items: {}, accounts: {} };
  return { lastId: 10_000_000, ...empty, ...(saved as Partial<State> | null) };
}

export function nextId(state: State): number {
  state.lastId += 1;
  return state.lastId;
}

export function itemsOf(state: State, userUuid: string): Item[] {
  return Object.values(state.items).filter((item) => item.userUuid === userUuid);
}

export function accountsOf(state: State, itemId: number): Account[] {
  return Object.values(state.accounts).filter((account) => account.itemId === itemId);
}
