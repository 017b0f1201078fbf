import { hourMs } from '../../../../shared/calendar/durations.ts';
import type { ClientDetails } from '../connect.ts';
import { BankSourceError } from '../failures.ts';
import type { BankReading, BankSource, KeyedLimiter } from '../port.ts';
import { pressedTooSoon } from '../pressed-too-soon.ts';
import { connectionsWithoutAccess, readEach, stateOfError } from '../reading-each.ts';
import { createRefusals, type Refusals } from '../refusals.ts';
import {
  type Consent,
  type GivenApplication,
  readSecret,
  type Secret,
  sharedAccounts,
  withApplication,
  withoutConsent,
} from './accesses.ts';
import { createBackoffs } from './backoffs.ts';
import { createBanks } from './banks.ts';
import { type Caller, createCaller, type EnableBankingDeps } from './calls.ts';
import { askConsent, callback, closeSession, takeConsent } from './consents.ts';
import { form, verifyApplication } from './form.ts';
import { idsOf, withoutRepeated } from './overlapping-consents.ts';
import { type ReadingDeps, readConsent } from './readings.ts';

export interface EnableBankingOptions extends EnableBankingDeps {
  keyedLimiter: KeyedLimiter;
  isDemonstration: boolean;
}

/** A button that brings each press to the bank is not pressed without end. */
const pressLimit = { most: 1, spanMs: 60_000 };

/**
 * Enable Banking (enablebanking.com/docs) as a bank source: each person makes an application there for
 * private accounts of their own, and gives a consent for each bank. Lists of banks, tokens and backoffs of
 * accounts are in memory only.
 */
export function createEnableBanking(options: EnableBankingOptions): BankSource {
  const { clock, keyedLimiter, isDemonstration } = options;
  const call = createCaller(options);
  const banks = createBanks(call, clock);
  const backoffs = createBackoffs(clock);
  const refusals = createRefusals(clock);
  const now = () => clock.now();
  return {
    name: 'Enable Banking',
    note: 'gratuit, comptes personnels, votre application Enable Banking',
    credentials: 'person',
    connect: {
      kind: 'redirect',
      banks: 'here',
      access: {
        ...form,
        isDemonstration,
        countAccesses: (secret) => readSecret(secret).consents.length,
        async check(values, callbackUrl) {
          const verified = await verifyApplication(call, values, callbackUrl);
          const application = { ...verified, givenAt: now().toISOString() };
          return (known) => withApplication(known, application);
        },
      },
      begin: (link, session) => askConsent({ call, banks, now }, link, session),
      callback,
      complete: (link, query, _clientDetails, connectionId) =>
        takeConsent({ call, banks, now }, link, query, connectionId),
    },
    // Each reading is one of the four that a bank allows in a day: pages show what is stored.
    policy: {
      atPageLoad: false,
      beforeMessage: { withinMs: hourMs, freshForMs: 6 * hourMs },
      // Three from 07:00 to 22:00 leave one for a message.
      forAlerts: { everyMs: 5 * hourMs },
    },
    read: ({ secret }, clientDetails, known) =>
      readAll({ call, clock, keyedLimiter, backoffs, refusals }, readSecret(secret), {
        clientDetails,
        known,
      }),
    removeConnection: ({ secret }, id) => removeConsent(call, readSecret(secret), id),
    sharedAccounts: async ({ secret }, connectionId) => sharedAccounts(secret, connectionId),
    endAccesses: (secret) => closeAllSessions(call, readSecret(secret)),
    async listBanks(country, link) {
      const application = readSecret(link?.secret ?? null).applications.at(-1);
      return application ? await banks.list(application, country) : [];
    },
    openEditPage: (link, session) => askConsent({ call, banks, now }, link, session),
    async refreshNow({ secret }, connectionId) {
      const consent = readSecret(secret).consents.find(({ id }) => id === connectionId);
      if (!consent) throw new BankSourceError('unknown-connection', 'No consent of this person');
      const waitMs = await keyedLimiter(`button ${consent.sessionId}`, pressLimit);
      if (waitMs > 0) throw pressedTooSoon(waitMs);
      for (const { id } of consent.accounts) backoffs.endWaiting(`${consent.applicationId} ${id}`);
    },
  };
}

/**
 * Each consent by itself. One whose bank fails says so in its state, and its accounts keep what is stored
 * of them.
 */
async function readAll(
  { refusals, ...deps }: ReadingDeps & { refusals: Refusals },
  { applications, consents }: Secret,
  { clientDetails, known }: { clientDetails: ClientDetails | null; known: string[] },
): Promise<BankReading> {
  const read = (consent: Consent, hasBankAnswered: boolean) => {
    const application = applicationOf(applications, consent);
    return refusals.unless(credentialsText(application), () =>
      readConsent(deps, application, { consent, hasBankAnswered, clientDetails }),
    );
  };
  const results = await readEach(consents, withoutRepeated(consents, read));
  const readings = results.flatMap(({ result }) =>
    result instanceof BankSourceError ? [] : [result],
  );
  const failures = results.flatMap(({ access, result }) =>
    result instanceof BankSourceError ? [{ consent: access, state: stateOfError(result) }] : [],
  );
  return {
    connections: readings.map(({ connection }) => connection),
    accounts: readings.flatMap(({ accounts }) => accounts),
    unshared: readings.flatMap(({ unshared }) => unshared),
    unread: [
      ...connectionsWithoutAccess(known, (id) => consents.some((one) => one.id === id)),
      ...failures.map(({ consent: { id }, state }) => ({ id, state })),
    ],
    unreadAccounts: failures.flatMap(({ consent }) => idsOf(consent)),
  };
}

async function removeConsent(
  call: Caller,
  { applications, consents }: Secret,
  consentId: string,
): ReturnType<BankSource['removeConnection']> {
  const consent = consents.find(({ id }) => id === consentId);
  if (consent) await closeSession(call, applicationOf(applications, consent), consent.sessionId);
  return (known, others) => {
    const stored = readSecret(known).consents.find(({ id }) => id === consentId);
    // Its new session is closed by another try.
    if (stored && stored.sessionId !== consent?.sessionId) throw renewedMeanwhile();
    return withoutConsent(known, consentId, others);
  };
}

/** Tries each of them, and throws the first failure. */
async function closeAllSessions(call: Caller, { applications, consents }: Secret): Promise<void> {
  const all = consents.map(async ({ applicationId, sessionId }) => {
    const application = applications.find(({ id }) => id === applicationId);
    if (application) await closeSession(call, application, sessionId);
  });
  for (const one of await Promise.allSettled(all)) {
    if (one.status === 'rejected') throw one.reason;
  }
}

/** `write` of the secret keeps every application that a consent needs. */
function applicationOf(
  applications: GivenApplication[],
  { applicationId }: Consent,
): GivenApplication {
  const found = applications.find(({ id }) => id === applicationId);
  if (found) return found;
  throw new BankSourceError('credentials', 'A consent without its application');
}

function credentialsText({ id, key, givenAt = '' }: GivenApplication): string {
  return `${id} ${key} ${givenAt}`;
}

function renewedMeanwhile(): BankSourceError {
  return new BankSourceError('unavailable', 'A consent was renewed while it was removed', {
    sentence: "L'accès à cette banque vient d'être renouvelé. Réessayez.",
  });
}
