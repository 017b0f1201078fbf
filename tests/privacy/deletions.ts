import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { requeueDeletions } from '../../src/server/privacy/deletion/work.ts';
import { deletionJobs } from '../../src/server/privacy/jobs.ts';
import type { Deletion } from '../../src/shared/contract/deletions.ts';
import type { Fixture } from '../identity/accounts/fixture.ts';
import type { Person } from '../support/person.ts';

/** Stands in the subject of the mail with the receipt. */
export const about = 'est supprimé';

export async function leave(person: Person, otp?: string): Promise<string> {
  const body = { currentPassword: person.details.password, ...(otp ? { otp } : {}) };
  const answer = await person.post('/users/me/deletion', body);
  expect(answer.status).toBe(202);
  return answer.body.receipt;
}

export function doneSteps({ steps }: Deletion): string[] {
  return steps.filter(({ doneDate }) => doneDate !== null).map(({ name }) => name);
}

/** Follows the deletions of an application that is opened by then. */
export function deletionsOf(app: () => Fixture) {
  async function read(receipt: string): Promise<Deletion> {
    return (await app().visitor.get(`/accounts/deletions/${receipt}`)).body;
  }

  async function once(receipt: string, holds: (deletion: Deletion) => boolean): Promise<Deletion> {
    return await vi.waitFor(
      async () => {
        const deletion = await read(receipt);
        if (!holds(deletion)) throw new Error(JSON.stringify(deletion));
        return deletion;
      },
      { timeout: 15_000, interval: 20 },
    );
  }

  function whenDone(receipt: string): Promise<Deletion> {
    return once(receipt, ({ doneDate }) => doneDate !== null);
  }

  async function tryAgainAfter(time: Parameters<Fixture['clock']['advance']>[0]): Promise<void> {
    app().clock.advance(time);
    await requeueDeletions(app().services);
    app().services.queue.announce(deletionJobs);
  }

  /** The names of tables in which this text stands somewhere. */
  async function tablesWith(text: string): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`.execute(
      app().services.database.sql,
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const { rows: hits } = await sql`
        select 1 from ${sql.raw(name)} as t where t::text like ${`%${text}%`} limit 1`.execute(
        app().services.database.sql,
      );
      if (hits.length > 0) found.push(name);
    }
    return found;
  }

  return { once, whenDone, tryAgainAfter, tablesWith };
}
