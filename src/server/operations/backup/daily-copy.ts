import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { OpenDatabase } from '../../platform/database/open.ts';
import { dumpDaily } from './dumps.ts';

/**
 * A copy takes a second or more of everybody's time, so it waits while messages are leaving or about
 * to, though not for ever. To be called every ten seconds: `lookEveryMs`.
 */
export function createCopier(deps: { database: OpenDatabase; clock: Clock }): () => Promise<void> {
  // First goes what was due while nothing ran.
  let restLooks = aMinuteOfLooks;
  let patienceLooks = anHourOfLooks;
  return async () => {
    if (restLooks > 0) {
      restLooks -= 1;
      return;
    }
    const now = deps.clock.now();
    if (patienceLooks > 0 && (await isBusy(deps.database, now))) {
      patienceLooks -= 1;
      return;
    }
    restLooks = anHourOfLooks;
    patienceLooks = anHourOfLooks;
    await dumpDaily(deps.database, now);
  };
}

export const lookEveryMs = 10_000;

const aMinuteOfLooks = 60_000 / lookEveryMs;
const anHourOfLooks = 60 * aMinuteOfLooks;

/** What is pending for longer waits for a bank or a chat that does not answer. */
const leavingMs = 5 * 60_000;

async function isBusy({ sql: database }: OpenDatabase, now: Date): Promise<boolean> {
  const soon = new Date(now.getTime() + lookEveryMs);
  const lately = new Date(now.getTime() - leavingMs);
  const { rows } = await sql<{ busy: boolean }>`
    select exists(select from messengers where next_at <= ${soon})
      or exists(select from deliveries where created_at > ${lately} and outcome = 'pending')
      as busy`.execute(database);
  return rows[0]?.busy ?? false;
}
