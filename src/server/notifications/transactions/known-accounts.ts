import type { MessageAccount } from '../../../shared/message/figures.ts';
import type {
  KnownUntil,
  StoredKnownAccounts,
  StoredReadAccount,
} from '../../platform/database/schema/notifications.ts';
import type { Platform } from '../../platform/platform.ts';

/** Until which days (YYYY-MM-DD) all transactions of a notification's accounts were known when they were read. */
export interface KnownAccounts {
  /**
   * By our number; null where an earlier version did not note the day. `renewedAfter`: which of the ones
   * since were told is not known by their ids, or none was because the account could not be read yet. Once
   * it `isRead`, they are known by their ids, and no message has told them.
   */
  byId: ReadonlyMap<number, KnownUntil>;
  /** By a keyed fingerprint of the IBAN: through whichever source, also one that is gone. */
  byIban: ReadonlyMap<string, string>;
}

const ibanPrefix = 'iban ';

/** Ignores a key that is neither a number nor an IBAN's: earlier versions write "NaN" in its place. */
export function knownAccountsIn(stored: StoredKnownAccounts): KnownAccounts {
  if (Array.isArray(stored))
    return { byId: new Map(stored.map((id) => [id, null])), byIban: new Map() };
  const entries = Object.entries(stored);
  return {
    byId: new Map(
      entries.flatMap(([key, until]) => (/^\d+$/.test(key) ? [[Number(key), until]] : [])),
    ),
    byIban: new Map(
      entries.flatMap(([key, until]) =>
        key.startsWith(ibanPrefix) && typeof until === 'string'
          ? [[key.slice(ibanPrefix.length), until]]
          : [],
      ),
    ),
  };
}

export function storedKnownAccounts({ byId, byIban }: KnownAccounts): StoredKnownAccounts {
  const ibans = [...byIban].map(([fingerprint, day]) => [`${ibanPrefix}${fingerprint}`, day]);
  return Object.fromEntries([...byId, ...ibans]);
}

/**
 * What is known once transactions are told again that were switched off. Where messages were sent
 * meanwhile, what was moved before the last one, on `lastDay`, counts as told. `readFor`: the day of the
 * sending for which they were read last.
 */
export function knownAfterPause(
  known: KnownAccounts,
  { lastDay, readFor }: { lastDay: string | null; readFor: string | null },
): KnownAccounts {
  if (lastDay === null || readFor === null || lastDay <= readFor) return known;
  return {
    byId: new Map(
      [...known.byId.keys()].map((id) => [id, { renewedAfter: lastDay, isUnread: true }]),
    ),
    byIban: new Map([...known.byIban.keys()].map((fingerprint) => [fingerprint, lastDay])),
  };
}

/** What one account is recognized by. */
export interface AccountIdentity {
  /** Our number. */
  id: number;
  /** The same through whichever source it comes. */
  name: string;
  /** Keyed fingerprints of its IBAN, one under each secret, the newest first; none without an IBAN. */
  ibans: string[];
  /** Its numbers of ours through other sources. */
  others: number[];
}

/** By our number. Of one connection, two accounts with the same IBAN are two, as in totals. */
export function identitiesOf(
  { vault }: Pick<Platform, 'vault'>,
  { user_id: userId, id: messengerId }: { user_id: string; id: string },
  accounts: readonly MessageAccount[],
): Map<number, AccountIdentity> {
  const groups = Map.groupBy(accounts, ({ id, ibanFingerprint, currency }) =>
    ibanFingerprint ? `iban ${ibanFingerprint} ${currency}` : `account ${id}`,
  );
  const identities = [...groups].flatMap(([name, same]): AccountIdentity[] => {
    const isOne = new Set(same.map(({ connectionId }) => connectionId)).size === same.length;
    const [{ ibanFingerprint } = {}] = same;
    if (!ibanFingerprint || !isOne) {
      return same.map(({ id }) => ({ id, name: `account ${id}`, ibans: [], others: [] }));
    }
    const ibans = vault.fingerprints(`${userId} ${messengerId} ${name}`);
    const ids = same.map(({ id }) => id);
    return ids.map((id) => ({ id, name, ibans, others: ids.filter((other) => other !== id) }));
  });
  return new Map(identities.map((identity) => [identity.id, identity]));
}

/** What is known of an account that was read before, by itself or through another source. */
interface KnownAccount {
  until: string;
  /**
   * Whether what is unknown and lies before that day counts as told: never, as everything until then was read;
   * always, as it was not, or left no fingerprint of what it is; or where the days of what was told differ,
   * because another source may date it otherwise.
   */
  isOldByDay: 'never' | 'always' | 'where-days-differ';
}

/** `lastDay`: for the accounts whose day was not noted. Null for an account that was never read. */
export function knownOf(
  known: KnownAccounts,
  { id, ibans, others }: AccountIdentity,
  lastDay: string,
): KnownAccount | null {
  const own = readUntil(known, id, lastDay);
  const ofIban = ibans.flatMap((fingerprint) => known.byIban.get(fingerprint) ?? []);
  const ofOthers = others.flatMap((other) => readUntil(known, other, lastDay) ?? []);
  const latest = [...ofIban, ...ofOthers].toSorted().at(-1);
  if (latest !== undefined && (own === null || latest > own)) {
    return { until: latest, isOldByDay: 'where-days-differ' };
  }
  if (own === null) return null;
  const stored = known.byId.get(id);
  // Versions that noted no IBAN left fingerprints of ids alone.
  const isUnknown = isRenewed(stored) && !stored.isRead && (stored.isUnread || ofIban.length === 0);
  return { until: own, isOldByDay: isUnknown ? 'always' : 'never' };
}

/** Until when all was known as it was read under this number of ours; null where it was not. */
export function readUntil({ byId }: KnownAccounts, id: number, lastDay: string): string | null {
  const until = byId.get(id);
  if (until === undefined) return null;
  return (isRenewed(until) ? until.renewedAfter : until) ?? lastDay;
}

export function isRenewed(
  until: KnownUntil | undefined,
): until is Exclude<KnownUntil, string | null> {
  return typeof until === 'object' && until !== null;
}

/**
 * What is known once accounts were to be read, whether or not their message arrives: these are known `until`
 * these days from now on. IBANs that were read last before `forgottenBefore` are left out.
 */
export function withKnown(
  { byId, byIban }: KnownAccounts,
  until: (readonly [number, KnownUntil])[],
  forgottenBefore: string,
): KnownAccounts {
  return {
    byId: new Map([...byId, ...until]),
    byIban: new Map([...byIban].filter(([, until]) => until >= forgottenBefore)),
  };
}

/** What is known of a read account once a message has told it: it is read through this number from then on. */
export function knownOnceTold(
  { id, ibans: [fingerprint, ...older], others }: AccountIdentity,
  until: string,
): StoredReadAccount {
  return {
    account: id,
    known: {
      [id]: until,
      ...(fingerprint !== undefined && { [`${ibanPrefix}${fingerprint}`]: until }),
    },
    outdated: [...others.map(String), ...older.map((one) => `${ibanPrefix}${one}`)],
  };
}
