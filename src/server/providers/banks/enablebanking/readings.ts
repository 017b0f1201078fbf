import type { ConnectionState } from '../../../../shared/banks/states.ts';
import { dayMs } from '../../../../shared/calendar/durations.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { ClientDetails } from '../connect.ts';
import { BankSourceError } from '../failures.ts';
import { isRecord, readMoment, readText } from '../json-fields.ts';
import type { Balance, BankAccount, BankConnection, KeyedLimiter } from '../port.ts';
import type { Consent, ConsentAccount } from './accesses.ts';
import type { Backoffs } from './backoffs.ts';
import { balanceOf } from './balances.ts';
import { idOf } from './banks.ts';
import { type Caller, EnableBankingRefusal } from './calls.ts';
import type { Application } from './keys.ts';

export interface ReadingDeps {
  call: Caller;
  clock: Clock;
  keyedLimiter: KeyedLimiter;
  backoffs: Backoffs;
}

/** Most banks allow four readings a day of an account while the person is not there. */
const unattended = { most: 4, spanMs: dayMs };

/** Statuses of a session that say the same. */
const endedStatuses = new Set(['EXPIRED', 'CLOSED', 'REVOKED', 'CANCELLED', 'INVALID']);

const gone = new Set(['ACCOUNT_DOES_NOT_EXIST', 'INVALID_ACCOUNT_ID']);

export interface ConsentReading {
  connection: BankConnection;
  accounts: BankAccount[];
  unshared: string[];
  /** The ids of the accounts of which the bank answered. */
  answeringIds: string[];
}

/**
 * One consent with its accounts: a call that costs the bank nothing, then one for each account.
 * `hasBankAnswered`: through another consent, for an account that this one opens too.
 */
export async function readConsent(
  deps: ReadingDeps,
  application: Application,
  {
    consent,
    hasBankAnswered,
    clientDetails,
  }: { consent: Consent; hasBankAnswered: boolean; clientDetails: ClientDetails | null },
): Promise<ConsentReading> {
  const now = deps.clock.now();
  const session = await sessionOf(deps.call, application, consent, now);
  if (!session) return ended(consent);
  const { description, validUntil, rows } = session;
  const connection = {
    ...connectionOf(consent, description ? 'unknown' : 'ok'),
    ...{ description, authenticationExpiresAt: validUntil },
  };
  if (description) return { connection, accounts: [], unshared: [], answeringIds: [] };
  const listed = consent.accounts.flatMap((account) => {
    const row = rows?.find((one) => isOf(one, account));
    if (rows && !row) return [];
    return [{ ...account, uid: row?.uid ?? account.uid }];
  });
  const readings = await Promise.all(
    listed.map((account) => readAccount(deps, application, consent, account, clientDetails)),
  );
  const readable = readings.filter(isReadable);
  const speaking = speakersOf(readable, ({ account }) => account);
  const isRefused = readable.some(({ end }) => end === 'renew');
  const answering = speaking.filter(hasAnswered);
  if (isRefused && answering.length === 0) return ended(consent);
  return {
    connection: {
      ...connection,
      ...conditionOf(speaking, hasBankAnswered || answering.length > 0, now),
    },
    accounts: readings.flatMap((one) => (one.end === 'gone' ? [] : [accountOf(consent, one)])),
    unshared: readings.flatMap(({ end, account }) => (end === 'gone' ? [account.id] : [])),
    answeringIds: readable.filter(hasAnswered).map(({ account }) => account.id),
  };
}

function ended(consent: Consent): ConsentReading {
  const connection = connectionOf(consent, 'renew');
  return { connection, accounts: [], unshared: [], answeringIds: [] };
}

function connectionOf(consent: Consent, state: ConnectionState): BankConnection {
  return {
    ...{ id: consent.id, state, code: null, description: null },
    bank: { id: idOf(consent.bank), name: consent.bank.name },
    lastSuccessfulRefresh: null,
    authenticationExpiresAt: new Date(consent.validUntil),
  };
}

/** Whether the consent is over: by its date, or as Enable Banking says. */
export async function hasEnded(
  call: Caller,
  application: Application,
  consent: Consent,
  now: Date,
): Promise<boolean> {
  return (await sessionOf(call, application, consent, now)) === null;
}

/**
 * `GET /sessions/{id}`. Null when the consent has ended, for which its date alone need not be asked about;
 * `description` for a status without a meaning here.
 */
async function sessionOf(call: Caller, application: Application, consent: Consent, now: Date) {
  if (Date.parse(consent.validUntil) <= now.getTime()) return null;
  const path = `/sessions/${encodeURIComponent(consent.sessionId)}`;
  try {
    const {
      status,
      access,
      accounts_data: accounts,
    } = await call(application, { method: 'GET', path });
    const word = readText(status)?.toUpperCase() ?? 'AUTHORIZED';
    if (endedStatuses.has(word)) return null;
    const said = `Enable Banking donne à cet accès l'état «\u202f${word.slice(0, 50)}\u202f». Reconnectez la banque.`;
    return {
      description: word === 'AUTHORIZED' ? null : said,
      validUntil:
        (isRecord(access) ? readMoment(access.valid_until) : null) ?? new Date(consent.validUntil),
      rows: Array.isArray(accounts) ? rowsOf(accounts) : null,
    };
  } catch (error) {
    if (error instanceof EnableBankingRefusal && error.endsConsent) return null;
    throw error;
  }
}

/** An account as its session lists it. */
interface SessionRow {
  /** What an account keeps from one consent to the next; some banks give none. */
  hash: string | null;
  uid: string | null;
}

/** Null when no account is named: then all of the consent are asked for. */
function rowsOf(accounts: unknown[]): SessionRow[] | null {
  const rows = accounts
    .filter(isRecord)
    .map(({ identification_hash: hash, uid }) => ({ hash: readText(hash), uid: readText(uid) }));
  const named = rows.filter(({ hash, uid }) => hash !== null || uid !== null);
  return named.length > 0 ? named : null;
}

function isOf({ hash, uid }: SessionRow, account: ConsentAccount): boolean {
  return hash === account.id || (uid !== null && uid === account.uid);
}

interface AccountReading {
  account: ConsentAccount;
  /**
   * `kept`: not asked, or no usable answer, without blame. `resting`: not asked after failures. `failed`,
   * `acting`: the bank did not answer, or waits for its customer. `renew`: the consent has ended. `gone`:
   * there is no such account any more.
   */
  end: 'read' | 'kept' | 'resting' | 'failed' | 'acting' | 'renew' | 'gone';
  balance: Balance | null;
}

async function readAccount(
  deps: ReadingDeps,
  application: Application,
  consent: Consent,
  account: ConsentAccount,
  clientDetails: ClientDetails | null,
): Promise<AccountReading> {
  const { call, clock, keyedLimiter, backoffs } = deps;
  const key = `${application.id} ${account.id}`;
  const end = (word: AccountReading['end']): AccountReading => ({
    account,
    end: word,
    balance: null,
  });
  const psuHeaders = clientDetails ? psuHeadersOf(consent.psuHeaders, clientDetails) : null;
  if (account.uid === null || (!psuHeaders && backoffs.isBackingOff(key))) {
    return end(backoffs.endWhenSkipped(key));
  }
  if (!psuHeaders && (await keyedLimiter(`balances ${key}`, unattended)) > 0) {
    return end(backoffs.endWhenSkipped(key));
  }
  try {
    const path = `/accounts/${encodeURIComponent(account.uid)}/balances`;
    const body = await call(application, {
      method: 'GET',
      path,
      ...(psuHeaders && { psuHeaders }),
    });
    backoffs.clear(key);
    const balance = balanceOf(body, account.currency, clock.now());
    return { account, end: balance ? 'read' : 'kept', balance };
  } catch (error) {
    if (!(error instanceof BankSourceError) || error.kind === 'credentials') throw error;
    const { code, endsConsent } =
      error instanceof EnableBankingRefusal ? error : { code: '', endsConsent: false };
    if (error.kind === 'limited') {
      backoffs.limited(key, error.retryAfterSeconds);
      return end(backoffs.endWhenSkipped(key));
    }
    if (endsConsent) return end('renew');
    // A bank may take no address of a home network, or want a header that it did not want before.
    if (psuHeaders && code.startsWith('PSU_HEADER')) {
      return await readAccount(deps, application, consent, account, null);
    }
    if (gone.has(code)) return end('gone');
    return end(backoffs.failed(key, code === 'ASPSP_PSU_ACTION_REQUIRED'));
  }
}

/**
 * Those that speak for their bank: the current accounts, which are shown, where there are any. A savings account
 * that is read would hide that no shown figure was renewed.
 */
export function speakersOf<One>(all: One[], accountOf: (one: One) => ConsentAccount): One[] {
  const current = all.filter((one) => accountOf(one).type === 'checking');
  return current.length > 0 ? current : all;
}

/** One that cannot be read at all, or is there no more, says nothing of its bank. */
function isReadable({ end, account }: AccountReading): boolean {
  return end !== 'gone' && (end !== 'kept' || account.uid !== null);
}

/**
 * Banks give no balance of some accounts, such as cards: the others show that the bank answers, also those of
 * which no more is asked today.
 */
function hasAnswered({ end }: AccountReading): boolean {
  return end === 'read' || end === 'kept';
}

function conditionOf(readings: AccountReading[], hasBankAnswered: boolean, now: Date) {
  const has = (word: AccountReading['end']) => readings.some(({ end }) => end === word);
  const lastSuccessfulRefresh = has('read') ? now : null;
  if (has('acting') && !hasBankAnswered) {
    return { state: 'action-at-bank' as const, lastSuccessfulRefresh };
  }
  // A bank that failed as a whole stays so while all its accounts rest.
  const isResting = has('resting') && readings.every(({ end }) => end === 'resting');
  const isSilent = !hasBankAnswered && (isResting || has('failed'));
  return { state: isSilent ? ('unreachable' as const) : ('ok' as const), lastSuccessfulRefresh };
}

function accountOf(consent: Consent, { account, balance }: AccountReading): BankAccount {
  const { id, name, type, number, currency } = account;
  const untold = { minor: null, currency, kind: 'unknown' as const, asOf: null, isUnrenewed: true };
  return {
    ...{ id, name, type, number, connectionId: consent.id },
    bank: { id: idOf(consent.bank), name: consent.bank.name },
    balance: balance ?? untold,
  };
}

/** What a bank is told that names none of the headers that it wants. */
const usual = ['Psu-Ip-Address', 'Psu-User-Agent'];

/**
 * The headers that tell a bank of the person who is present, from the person's own request: all that the
 * bank wants, or null when one of them is not known. A part of them would be refused, and an invented one
 * would be a lie. `wanted` null: it is not known what the bank wants.
 */
function psuHeadersOf(
  wanted: string[] | null,
  clientDetails: ClientDetails,
): Record<string, string> | null {
  if (wanted === null) return null;
  const names = wanted.length > 0 ? wanted : usual;
  const headers = names.map((name) => [name, headerOf(name.toLowerCase(), clientDetails)] as const);
  const known = headers.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return known.length === headers.length ? Object.fromEntries(known) : null;
}

function headerOf(name: string, clientDetails: ClientDetails): string | null {
  switch (name) {
    case 'psu-ip-address':
      return clientDetails.ip;
    case 'psu-user-agent':
      return clientDetails.userAgent;
    case 'psu-accept':
      return clientDetails.accept;
    case 'psu-accept-language':
      return clientDetails.acceptLanguage;
    case 'psu-accept-encoding':
      return clientDetails.acceptEncoding;
    case 'psu-referer':
      return clientDetails.referer;
    default:
      return null;
  }
}
