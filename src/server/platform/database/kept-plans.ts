import pg from 'pg';
import type { RunStatement } from './connections.ts';

/**
 * Runs each statement under a name, for which the server keeps the plan: a read over many tables takes
 * longer to plan than to run. The texts must be few. Not inside a transaction, which an outdated plan
 * would end.
 */
export function runWithKeptPlans(): RunStatement {
  const names = new Map<string, string>();
  let named = 0;
  function nameAnew(text: string): string {
    named += 1;
    const name = `kept ${named}`;
    names.set(text, name);
    return name;
  }
  return async (client, text, values) => {
    const name = names.get(text) ?? nameAnew(text);
    try {
      return await client.query({ name, text, values });
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error;
      // Connections remember the old name for the old columns until they are closed.
      if (names.get(text) === name) nameAnew(text);
      return await client.query(text, values);
    }
  };
}

/** "cached plan must not change result type": a newer version has changed the columns of a table. */
function isOutdatedPlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000';
}
