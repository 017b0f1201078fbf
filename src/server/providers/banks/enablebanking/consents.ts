import { createHash } from 'node:crypto';
import type { Completion, ConnectCallback, ConnectSession, SourceLink } from '../connect.ts';
import { BankSourceError } from '../failures.ts';
import { isRecord, readMoment, readPageAddress, readText } from '../json-fields.ts';
import {
  type BankIdentity,
  type Consent,
  type ConsentAccount,
  readSecret,
  type Secret,
  withConsent,
} from './accesses.ts';
import { type Banks, identityOf, idOf, longestConsentSeconds, usualSeconds } from './banks.ts';
import { type Caller, EnableBankingRefusal } from './calls.ts';
import type { Application } from './keys.ts';
import { hasEnded } from './readings.ts';

interface ConsentDeps {
  call: Caller;
  banks: Banks;
  now: () => Date;
}

/**
 * A consent is asked for this much shorter than the bank grants, since clocks differ; of a bank that grants
 * two hours or less, half of it.
 */
const earlySeconds = 60 * 60;

/** `POST /auth`: the address at which the person gives a bank's consent. */
export async function askConsent(
  { call, banks, now }: ConsentDeps,
  link: SourceLink,
  { connectionId, bankId, callbackUrl, nonce }: ConnectSession,
): Promise<string> {
  const { application, consents } = openSecret(link.secret);
  const renewed = consents.find(({ id }) => id === connectionId);
  if (connectionId !== undefined && !renewed) {
    throw new BankSourceError('unknown-connection', 'No consent of this person');
  }
  const bank = renewed?.bank ?? identityOf(bankId ?? '');
  const terms = await banks.termsOf(application, bank).catch((error: unknown) => {
    // What the earlier consent was asked for is known without the list.
    if (renewed && error instanceof BankSourceError) return null;
    throw error;
  });
  if (!terms && !renewed) {
    throw new BankSourceError('refused', 'A bank that is not listed', {
      sentence: 'Enable Banking ne propose pas cette banque à votre application.',
    });
  }
  const longest = terms?.longestSeconds ?? renewed?.longestSeconds ?? usualSeconds;
  const seconds = Math.min(longest, longestConsentSeconds);
  const asked = seconds - Math.min(earlySeconds, seconds / 2);
  const until = new Date(now().getTime() + asked * 1000);
  const body = {
    access: {
      valid_until: until.toISOString().replace('Z', '+00:00'),
      balances: true,
      transactions: false,
    },
    aspsp: bank,
    psu_type: 'personal',
    state: `${nonce}.${application.id}`,
    redirect_url: callbackUrl,
    language: 'fr',
    psu_id: createHash('sha256').update(link.userId).digest('hex').slice(0, 32),
  };
  const { url } = await call(application, { method: 'POST', path: '/auth', body });
  const address = readPageAddress(url);
  if (!address) {
    throw new BankSourceError(
      'unavailable',
      'Enable Banking answered a consent without an address',
    );
  }
  return address;
}

/** Where the browser comes back to; `access_denied` is said of a person and of a bank alike. */
export const callback: ConnectCallback = {
  parameters: ['code', 'state', 'error', 'error_description'],
  read: ({ state = '', code, error }) => ({
    nonce: state.split('.')[0] ?? '',
    providerUserId: null,
    outcome: code ? 'done' : error === 'access_denied' ? 'cancelled' : 'failed',
  }),
};

/**
 * `POST /sessions`: the code becomes a session, whose accounts are described here and never again. One of
 * which no consent can be made is closed; that of a renewed consent is closed once the new one is kept.
 */
export async function takeConsent(
  deps: ConsentDeps,
  link: SourceLink,
  { code = '', state = '' }: Record<string, string>,
  connectionId: string | null,
): Promise<Completion> {
  const { call } = deps;
  const { application: last, applications, consents } = openSecret(link.secret);
  // A code is redeemed by the application that asked for it, which another one may have followed.
  const [, askedBy] = state.split('.');
  const application = applications.find(({ id }) => id === askedBy) ?? last;
  const session = await call(application, {
    method: 'POST',
    path: '/sessions',
    body: { code },
  }).catch(throwWithoutAccounts);
  const sessionId = readText(session.session_id);
  if (!sessionId) throw unreadable();
  const close = () => closeSession(call, application, sessionId);
  const known = { applications, consents, connectionId, userId: link.userId };
  const { consent, renewed } = await consentOf(deps, application, known, {
    ...session,
    sessionId,
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  let replaced = { applications, consent: renewed };
  return {
    changeSecret(secret) {
      // Another renewal may have been stored since this one was begun.
      const stored = readSecret(secret);
      const same = stored.consents.find(({ id }) => id === consent.id);
      if (same) replaced = { applications: stored.applications, consent: same };
      return withConsent(secret, consent, application);
    },
    async afterwards() {
      const { consent: old } = replaced;
      const owner = replaced.applications.find(({ id }) => id === old?.applicationId);
      if (old && owner) await closeSession(call, owner, old.sessionId);
    },
    undo: close,
  };
}

/** The consent of a session, and the one that it renews. */
async function consentOf(
  deps: ConsentDeps,
  application: Application,
  known: Pick<Secret, 'applications' | 'consents'> & {
    connectionId: string | null;
    userId: string;
  },
  session: Record<string, unknown> & { sessionId: string },
): Promise<{ consent: Consent; renewed: Consent | undefined }> {
  const { sessionId } = session;
  const access = isRecord(session.access) ? session.access : {};
  const validUntil = readMoment(access.valid_until);
  const bank = bankOf(session.aspsp);
  if (!validUntil || !bank || !Array.isArray(session.accounts)) throw unreadable();
  const accounts = session.accounts.map((account) => accountOf(account, known.userId));
  if (accounts.length === 0) throw withoutAccounts();
  const renewed =
    known.consents.find(({ id }) => id === known.connectionId) ??
    (await renewedBy(deps, known, bank, accounts));
  const terms = await deps.banks.termsOf(application, bank).catch(() => null);
  const consent: Consent = {
    ...{ id: renewed?.id ?? sessionId, sessionId, applicationId: application.id, bank },
    validUntil: validUntil.toISOString(),
    longestSeconds: terms?.longestSeconds ?? renewed?.longestSeconds ?? usualSeconds,
    psuHeaders: terms?.psuHeaders ?? renewed?.psuHeaders ?? null,
    accounts,
  };
  return { consent, renewed };
}

/**
 * The earlier consent of which these are all accounts, or of which they are some and which has ended, as
 * at a bank that allows one at a time. Any other may be of another login at this bank, and goes on.
 */
async function renewedBy(
  { call, now }: ConsentDeps,
  { applications, consents }: Pick<Secret, 'applications' | 'consents'>,
  bank: BankIdentity,
  accounts: ConsentAccount[],
): Promise<Consent | undefined> {
  for (const one of consents) {
    const shared = one.accounts.filter((known) => accounts.some((given) => isSame(known, given)));
    if (idOf(one.bank) !== idOf(bank) || shared.length === 0) continue;
    if (shared.length === one.accounts.length) return one;
    const owner = applications.find(({ id }) => id === one.applicationId);
    if (owner && (await hasEnded(call, owner, one, now()).catch(() => false))) return one;
  }
  return undefined;
}

function isSame(known: ConsentAccount, given: ConsentAccount): boolean {
  const isSameNumber = known.number !== null && known.number === given.number;
  return known.id === given.id || (isSameNumber && known.currency === given.currency);
}

function unreadable(): BankSourceError {
  return new BankSourceError(
    'unavailable',
    'Enable Banking answered a session that cannot be read',
  );
}

/** One that is closed already counts as done, and so does one of an application that ended. */
export async function closeSession(
  call: Caller,
  application: Application,
  sessionId: string,
): Promise<void> {
  try {
    await call(application, {
      method: 'DELETE',
      path: `/sessions/${encodeURIComponent(sessionId)}`,
    });
  } catch (error) {
    const isOver =
      error instanceof EnableBankingRefusal &&
      (error.kind === 'credentials' || /SESSION/.test(error.code));
    if (!isOver) throw error;
  }
}

function openSecret(secret: string | null) {
  const { applications, consents } = readSecret(secret);
  const application = applications.at(-1);
  if (application) return { application, applications, consents };
  throw new BankSourceError('credentials', 'No application of this person', {
    sentence: "Donnez d'abord votre application Enable Banking.",
  });
}

function throwWithoutAccounts(error: unknown): never {
  if (error instanceof EnableBankingRefusal && error.code === 'NO_ACCOUNTS_ADDED') {
    throw withoutAccounts();
  }
  throw error;
}

function withoutAccounts(): BankSourceError {
  return new BankSourceError('no-accounts', 'A consent without accounts');
}

function bankOf(aspsp: unknown): BankIdentity | null {
  const [name, country] = isRecord(aspsp) ? [readText(aspsp.name), readText(aspsp.country)] : [];
  return name && country ? { name, country } : null;
}

const types: Record<string, string> = {
  CACC: 'checking',
  CASH: 'checking',
  CARD: 'card',
  LOAN: 'loan',
  SVGS: 'savings',
};

/** `name` is that of the holder, so the account is called by what it is. */
function accountOf(account: unknown, userId: string): ConsentAccount {
  const told = isRecord(account) ? account : {};
  const ids = isRecord(told.account_id) ? told.account_id : {};
  const other = isRecord(ids.other) ? readText(ids.other.identification) : null;
  const number = readText(ids.iban) ?? other;
  const uid = readText(told.uid);
  const currency = readText(told.currency)?.toUpperCase() ?? 'EUR';
  // The number itself is kept nowhere but in the sealed secret. An account of each currency may have it.
  const ownName = `${userId} ${number} ${currency}`;
  const hash = number && createHash('sha256').update(ownName).digest('hex');
  const id = readText(told.identification_hash) ?? hash ?? uid;
  if (!id) {
    throw new BankSourceError('unavailable', 'Enable Banking answered an account without an id');
  }
  const ending = number ? `Compte ${number.slice(-4)}` : 'Compte';
  const kind = readText(told.cash_account_type)?.toUpperCase() ?? 'CACC';
  return {
    ...{ id, uid, number, currency },
    name: readText(told.details) ?? readText(told.product) ?? ending,
    type: types[kind] ?? 'other',
  };
}
