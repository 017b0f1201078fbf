import type { GivenAccess } from '../refusals.ts';
import type { Application } from './keys.ts';

/** The secret that banking keeps sealed: the person's applications, and what each consent opened. */
export interface Secret {
  /** The one that was given last stands last: it asks for new consents. */
  applications: GivenApplication[];
  consents: Consent[];
}

export interface GivenApplication extends Application, GivenAccess {}

/** A consent of the person at one bank: a session of Enable Banking. */
export interface Consent {
  /** The id of our connection: it stays when a renewal brings another session. */
  id: string;
  sessionId: string;
  applicationId: string;
  bank: BankIdentity;
  /** ISO 8601. */
  validUntil: string;
  /** The longest consent that the bank grants, in seconds. */
  longestSeconds: number;
  /** Which headers the bank wants of a person who is present; null when it is not known. */
  psuHeaders: string[] | null;
  accounts: ConsentAccount[];
}

/** A bank has no id at Enable Banking: its name and its country are its identity. */
export interface BankIdentity {
  name: string;
  /** ISO 3166. */
  country: string;
}

/** An account as it was described with the consent; later answers repeat its `uid` alone. */
export interface ConsentAccount {
  /** The same from one consent to the next. */
  id: string;
  /** Of this session alone; null when the account cannot be read. */
  uid: string | null;
  name: string;
  type: string;
  currency: string;
  number: string | null;
}

export function readSecret(secret: string | null): Secret {
  return secret === null ? { applications: [], consents: [] } : JSON.parse(secret);
}

export function withApplication(secret: string | null, application: GivenApplication): string {
  const { applications, consents } = readSecret(secret);
  const others = applications.filter(({ id }) => id !== application.id);
  return write({ applications: [...others, application], consents });
}

/**
 * A renewed consent takes the place of the one that it renews. Its application is kept with it, though a
 * removal meanwhile may have forgotten it.
 */
export function withConsent(
  secret: string | null,
  consent: Consent,
  application: GivenApplication,
): string {
  const { applications: known, consents } = readSecret(secret);
  const isKnown = known.some(({ id }) => id === application.id);
  const applications = isKnown ? known : [application, ...known];
  const others = consents.filter(({ id }) => id !== consent.id);
  return write({ applications, consents: [...others, consent] });
}

/**
 * Null when neither a consent remains nor a connection that waits for a new one (`others`): the key is then
 * forgotten too.
 */
export function withoutConsent(secret: string | null, id: string, others: string[]): string | null {
  const { applications, consents } = readSecret(secret);
  const rest = consents.filter((one) => one.id !== id);
  const isNeeded = rest.length > 0 || (applications.length > 0 && others.length > 0);
  return isNeeded ? write({ applications, consents: rest }) : null;
}

/** The accounts of a consent that others open too, each with the last of those. */
export function sharedAccounts(secret: string | null, consentId: string): Map<string, string> {
  const { consents } = readSecret(secret);
  const own = new Set(consents.find(({ id }) => id === consentId)?.accounts.map(({ id }) => id));
  const ofOthers = consents
    .filter(({ id }) => id !== consentId)
    .flatMap(({ id, accounts }) => accounts.map((account): [string, string] => [account.id, id]));
  return new Map(ofOthers.filter(([account]) => own.has(account)));
}

/** Earlier applications are kept as long as a consent needs them. */
function write({ applications, consents }: Secret): string {
  const last = applications.at(-1);
  const needed = applications.filter(
    (one) => one === last || consents.some(({ applicationId }) => applicationId === one.id),
  );
  return JSON.stringify({ applications: needed, consents });
}
