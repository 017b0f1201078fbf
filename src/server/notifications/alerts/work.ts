import { AutoResetEvent } from '../../platform/auto-reset-event.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { isRefusedByDatabase } from '../../platform/database/connections.ts';
import type { NotificationsDeps } from '../deps.ts';
import { evaluateAlerts } from './evaluating.ts';
import { usersToEvaluate } from './queries.ts';

type Needed = Pick<
  NotificationsDeps,
  | 'database'
  | 'clock'
  | 'randomness'
  | 'chats'
  | 'bankSources'
  | 'figureJournal'
  | 'signals'
  | 'log'
>;

export interface AlertWork {
  stop(): Promise<void>;
}

/** How long a user is left out whose alerts the database refuses to take. */
const setAsideMs = 60_000;
/** How long one is whose evaluation failed for another reason: the next round begins with the others. */
const setAsideBrieflyMs = 2000;
const usersAtOnce = 50;

/** Evaluates the alerts of users whose accounts were read, at once for a reading of this process. */
export function startAlertWork(
  deps: Needed,
  { alertsIdleMs }: { alertsIdleMs: number },
): AlertWork {
  const wake = new AutoResetEvent();
  const stopListening = deps.figureJournal.onFigures(() => wake.set());
  const setAside = new Map<string, number>();
  let isStopping = false;
  const run = async (): Promise<void> => {
    while (!isStopping) {
      const isMore = await evaluateAll(deps, setAside).catch((error) => {
        deps.log.warn({ err: error }, 'alerts wait for the database');
        return false;
      });
      if (!isStopping && !isMore) await wake.wait(alertsIdleMs);
    }
  };
  const running = run();
  return {
    async stop() {
      isStopping = true;
      stopListening();
      wake.set();
      await running;
    },
  };
}

/** Returns whether there may be more to evaluate. */
async function evaluateAll(deps: Needed, setAside: Map<string, number>): Promise<boolean> {
  for (const [userId, until] of setAside) {
    if (until <= monotonicMs()) setAside.delete(userId);
  }
  const most = usersAtOnce + setAside.size;
  const found = await usersToEvaluate(deps.database.sql, deps.clock.now(), most);
  const users = found.filter((userId) => !setAside.has(userId));
  for (const userId of users) {
    try {
      if ((await evaluateAlerts(deps, userId)) > 0) deps.signals.waiting();
    } catch (error) {
      // What was read stays in the journal.
      const isRefused = isRefusedByDatabase(error);
      setAside.set(userId, monotonicMs() + (isRefused ? setAsideMs : setAsideBrieflyMs));
      if (!isRefused) throw error;
      deps.log.error({ err: error }, 'the alerts of a user could not be looked at');
    }
  }
  return users.length > 0;
}

/**
 * Where nothing may be sent: remembers what was read without telling it, and writes the summaries that
 * are due, for the caller to end.
 */
export async function recordAlerts(
  deps: Pick<Needed, 'database' | 'clock' | 'randomness'>,
): Promise<void> {
  for (;;) {
    const users = await usersToEvaluate(deps.database.sql, deps.clock.now(), usersAtOnce);
    if (users.length === 0) return;
    for (const userId of users)
      await evaluateAlerts({ ...deps, chats: new Map(), bankSources: new Map() }, userId, {
        isRestored: true,
      });
  }
}
