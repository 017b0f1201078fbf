import type { Selectable } from 'kysely';
import { addDays } from '../../../shared/calendar/local-date.ts';
import { localDateAt } from '../../../shared/calendar/wall-clock.ts';
import type { StoredReadAccount } from '../../platform/database/schema/notifications.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Figures, figuresOf } from '../messages/figures.ts';
import { type ScheduleColumns, scheduleOf } from '../schedule/next-sending.ts';
import {
  identitiesOf,
  isRenewed,
  type KnownAccounts,
  knownAfterPause,
  knownOf,
  knownOnceTold,
  readUntil,
  withKnown,
} from './known-accounts.ts';
import { findKnown } from './queries.ts';

export type TellingMessenger = Pick<
  Selectable<Schema['messengers']>,
  'user_id' | 'id' | 'operations'
> &
  ScheduleColumns;

/** How far back a notification reads each account, by what it has told. Days are YYYY-MM-DD, of its zone. */
export interface Reach {
  figures: Figures;
  /** From which day on an account is read. */
  firstDay(id: number): string;
  /**
   * The day before which an unknown transaction of an account counts as told; null for no day. It does not where
   * the others of these days are known (`unlessKnown`): its source dates them as what was told is dated.
   */
  toldBefore(id: number): { day: string; unlessKnown: boolean } | null;
  /** Until when an account was known as it was read under this number; empty where it was not. */
  readUntil(id: number): string;
  /** The same for the same account of whichever source. */
  nameOf(id: number): string;
  /** What is known once these accounts were read or could not be, and what once their message has arrived. */
  afterReading(accounts: { read: number[]; failed: number[] }): KnownAccounts;
  onceTold(read: number[]): StoredReadAccount[];
  /**
   * The first day that can be read, where that leaves something out. `hasUntold`: whether an account has
   * transactions that are still to be told; of a bank that brings nothing new for a month, each message
   * would say it.
   */
  cutAt(read: number[], hasUntold: (id: number) => boolean): string | null;
}

/**
 * Banks post late, and may date what they post some days back: what was told is left out by its
 * fingerprint.
 */
const backDays = 4;
/** Fingerprints are kept for longer (store.ts). */
const maxBackDays = 30;

export async function findReach(
  deps: Pick<Platform, 'database' | 'vault' | 'clock'>,
  messenger: TellingMessenger,
): Promise<Reach> {
  const { user_id: userId, id: messengerId } = messenger;
  const dayOf = (at: Date) => localDateAt(at, scheduleOf(messenger));
  const today = dayOf(deps.clock.now());
  const yesterday = addDays(today, -1);
  const furthest = addDays(today, -maxBackDays);
  const known = await findKnown(deps.database.sql, userId, messengerId);
  const readFor = known.dueAt && dayOf(known.dueAt);
  const isOff = messenger.operations === 'off';
  const before = isOff ? knownAfterPause(known.accounts, { ...known, readFor }) : known.accounts;
  const lastDay = known.lastDay ?? today;
  const figures = (await figuresOf(deps.database.sql, [{ userId, messengerId }]))(messengerId);
  const identities = identitiesOf(deps, messenger, figures.accounts);
  const knownById = new Map(
    [...identities].map(([id, identity]) => [id, knownOf(before, identity, lastDay)]),
  );
  // What a bank has not given by now is read when it gives newer figures.
  const givenUntil = new Map(
    figures.accounts.map(({ id, updatedAt }) => [id, updatedAt ? dayOf(updatedAt) : today]),
  );
  const lastKnown = (id: number) => earlier(lastDay, knownById.get(id)?.until ?? yesterday);
  return {
    figures,
    firstDay: (id) => later(addDays(lastKnown(id), -backDays), furthest),
    toldBefore(id) {
      const account = knownById.get(id);
      if (!account) return { day: yesterday, unlessKnown: false };
      const { until, isOldByDay } = account;
      if (isOldByDay === 'never') return null;
      return { day: earlier(until, yesterday), unlessKnown: isOldByDay === 'where-days-differ' };
    },
    readUntil: (id) => readUntil(before, id, lastDay) ?? '',
    nameOf: (id) => identities.get(id)?.name ?? String(id),
    afterReading({ read, failed }) {
      // This message tells what came since yesterday: where it does not arrive, one after it does.
      const owed = { renewedAfter: yesterday, isUnread: true } as const;
      const days = [...failed, ...read].flatMap((id) => {
        const stored = knownById.get(id) ? before.byId.get(id) : owed;
        if (!isRenewed(stored)) return [];
        // Of those that are read, the fingerprints are known from now on, told or not.
        const isRead = read.includes(id) && { isRead: true as const };
        return [[id, { ...stored, ...isRead }] as const];
      });
      return withKnown(before, days, furthest);
    },
    onceTold: (read) =>
      read.flatMap((id) => {
        const until = later(knownById.get(id)?.until ?? lastDay, givenUntil.get(id) ?? today);
        const identity = identities.get(id);
        return identity ? [knownOnceTold(identity, until)] : [];
      }),
    cutAt(read, hasUntold) {
      const isCut = read.some(
        (id) =>
          knownById.get(id) && lastKnown(id) < furthest && (lastDay < furthest || hasUntold(id)),
      );
      return isCut ? furthest : null;
    },
  };
}

function earlier(one: string, other: string): string {
  return one < other ? one : other;
}

function later(one: string, other: string): string {
  return one < other ? other : one;
}
