import { hourMs } from '../../../../shared/calendar/durations.ts';
import { BankSourceError } from '../failures.ts';
import type { BankSource, KeyedLimiter } from '../port.ts';
import { pressedTooSoon } from '../pressed-too-soon.ts';
import { connectionsWithoutAccess, readEach, stateOfError } from '../reading-each.ts';
import { createRefusals } from '../refusals.ts';
import {
  type Consent,
  type GivenApplication,
  readSecret,
  sharedAccounts,
  withApplication,
  withoutConsent,
} from './accesses.ts';
import { createBackoffs } from './backoffs.ts';
import { createBanks } from './banks.ts';
import { createCaller, type EnableBankingDeps } from './calls.ts';
import { askConsent, callback, closeSession, takeConsent } from './consents.ts';
import { form, verifyApplication } from './form.ts';
import { type ConsentReading, readConsent } from './readings.ts';

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
    async read({ secret }, clientDetails, known) {
      const { applications, consents } = readSecret(secret);
      const read = (consent: Consent, hasBankAnswered: boolean) => {
        const application = applicationOf(applications, consent);
        const deps = { call, clock, keyedLimiter, backoffs };
        return refusals.unless(credentialsText(application), () =>
          readConsent(deps, application, { consent, hasBankAnswered, clientDetails }),
        );
      };
      const results = await readEach(consents, withoutRepeated(consents, read));
      const readings = results.flatMap(({ result }) =>
        result instanceof BankSourceError ? [] : [result],
      );
      return {
        connections: readings.map(({ connection }) => connection),
        accounts: readings.flatMap(({ accounts }) => accounts),
        unshared: readings.flatMap(({ unshared }) => unshared),
        unread: [
          ...connectionsWithoutAccess(known, (id) => consents.some((one) => one.id === id)),
          ...results.flatMap(({ access, result }) =>
            result instanceof BankSourceError
              ? [{ id: access.id, state: stateOfError(result) }]
              : [],
          ),
        ],
        unreadAccounts: results.flatMap(({ access, result }) =>
          result instanceof BankSourceError ? idsOf(access) : [],
        ),
      };
    },
    async removeConnection({ secret }, connectionId) {
      const { applications, consents } = readSecret(secret);
      const consent = consents.find(({ id }) => id === connectionId);
      if (consent) {
        await closeSession(call, applicationOf(applications, consent), consent.sessionId);
      }
      return (known, others) => {
        const stored = readSecret(known).consents.find(({ id }) => id === connectionId);
        // Its new session is closed by another try.
        if (stored && stored.sessionId !== consent?.sessionId) throw renewedMeanwhile();
        return withoutConsent(known, connectionId, others);
      };
    },
    sharedAccounts: async ({ secret }, connectionId) => sharedAccounts(secret, connectionId),
    async endAccesses(secret) {
      const { applications, consents } = readSecret(secret);
      const all = consents.map(async ({ applicationId, sessionId }) => {
        const application = applications.find(({ id }) => id === applicationId);
        if (application) await closeSession(call, application, sessionId);
      });
      for (const one of await Promise.allSettled(all)) {
        if (one.status === 'rejected') throw one.reason;
      }
    },
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
      for (const { id } of consent.accounts) backoffs.clear(`${consent.applicationId} ${id}`);
    },
  };
}

/**
 * Reads each account through the last consent that opens it, as banks count its readings: a consent is read
 * after the later ones that share an account with it, and without the accounts that these brought. A bank
 * that answers through one of them has answered.
 */
function withoutRepeated(
  consents: Consent[],
  read: (consent: Consent, hasBankAnswered: boolean) => Promise<ConsentReading>,
): (consent: Consent) => Promise<ConsentReading> {
  const readings = new Map<Consent, Promise<ConsentReading>>();
  const readAfter = async (consent: Consent, later: Consent[]): Promise<ConsentReading> => {
    const laterReadings = await Promise.all(
      later.map(async (one) => {
        const reading = await readings.get(one)?.catch(() => null);
        return reading
          ? { ids: [...reading.accounts.map(({ id }) => id), ...reading.unshared], ...reading }
          : { ids: idsOf(one), answeringIds: [] };
      }),
    );
    const repeated = new Set(laterReadings.flatMap(({ ids }) => ids));
    const answering = new Set(laterReadings.flatMap(({ answeringIds }) => answeringIds));
    const accounts = consent.accounts.filter(({ id }) => !repeated.has(id));
    const hasBankAnswered = consent.accounts.some(({ id }) => answering.has(id));
    return read({ ...consent, accounts }, hasBankAnswered);
  };
  for (const [index, consent] of [...consents.entries()].toReversed()) {
    const own = new Set(idsOf(consent));
    const later = consents.slice(index + 1).filter((one) => idsOf(one).some((id) => own.has(id)));
    readings.set(consent, readAfter(consent, later));
  }
  return (consent) => readings.get(consent) ?? read(consent, false);
}

function idsOf({ accounts }: Consent): string[] {
  return accounts.map(({ id }) => id);
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
